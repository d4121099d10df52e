// Streams are input and output like printf's: what they are given is touched, and no other array, seen by others or not.
// RUN: %busfare extract %s | %FileCheck %s
#include <cmath>
#include <fstream>
#include <iomanip>
#include <iostream>
double shared[100], other[100];
int main() {
  int n = 3;
  // CHECK: for i
  for (int i = 0; i < 100; i++) shared[i] = i == 5 ? -INFINITY : i;
  // CHECK-NOT: opaque
  // CHECK: host io "stream"
  std::cout << "size " << n << " of " << std::setw(8) << 3.5 << std::endl;
  std::ofstream file("values");
  // CHECK: may read shared[?] bytewise at
  file.write(reinterpret_cast<const char *>(shared), sizeof shared);
  // CHECK: read shared[5]
  // CHECK: host io "stream"
  file << shared[5];
  // CHECK: write other[7] at
  std::cin >> other[7] >> n;
  // CHECK-NOT: opaque
  std::cout.setf(std::ios::fixed);
  std::cout.precision(3);
  std::cout.unsetf(std::ios_base::floatfield);
  if (std::cin.fail()) return 1;
  return n;
}

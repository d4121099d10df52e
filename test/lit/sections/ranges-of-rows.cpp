// RUN: %busfare sections %s -- | tr -s ' ' | FileCheck %s
// Ranges of elements that lie in several rows.
#include <cstdio>
#include <algorithm>
#include <numeric>
#include <iterator>
double z[40][40], y[40][40], x[40][40];
int main(){
  for(int i=0;i<40;i++)
    for(int j=0;j<40;j++) z[i][j]=x[i][j]=i+j;
  std::for_each(&z[0][0],&z[0][0]+1600,[](double&x){ if(x>70) std::printf("%g ",x); x=1; });
  std::fill(z[0],z[40],5.0);
  std::copy(x[3],x[4],x[7]);
  std::fill(&y[0][0],&y[0][0]+80,2.0);
  int d = std::distance(&z[1][0],&z[3][0]);
  double s=d;
  for(int i=0;i<40;i++)
    for(int j=0;j<40;j++) s+=z[i][j]*(i+2*j)+x[i][j]*(i+3*j)+y[i][j];
  std::printf("%.12g\n",s);
  return 0; }
// CHECK: nest in main at {{.*}}:11:3
// CHECK: z write, must-write exact [0:39:1][0:39:1]
// CHECK: nest in main at {{.*}}:12:3
// CHECK: z write, must-write exact [0:39:1][0:39:1]
// CHECK: nest in main at {{.*}}:13:3
// CHECK: x write, must-write exact [7:7:1][0:39:1]
// CHECK: nest in main at {{.*}}:14:3
// CHECK: y write, must-write exact [0:1:1][0:39:1]

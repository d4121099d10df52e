// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --no-progress | FileCheck %s
// RUN: %busfare loops %s -- | tr -s ' ' | FileCheck %s --check-prefix=LOOPS
// Arrays that are assigned or swapped as a whole change in all their elements.
// CHECK: verify: passed
#include <array>
#include <cstdio>
#include <utility>
std::array<std::array<double,30>,400> m; std::array<double,30> z; double r[400];
double x[100],y[100], rows[400][30];
int main(){
  for(int j=0;j<30;j++) z[j]=j+1;
  for(int i=0;i<399;i++){ m[i+1]=z; r[i]=m[i][5]; }
  for(int i=0;i<100;i++){x[i]=i;y[i]=2*i;}
  std::swap(x,y);
  for(int i=0;i<400;i++) for(int j=0;j<30;j++) rows[i][j]=i*j;
  for(int i=0;i<397;i+=2){ std::swap(rows[i],rows[i+1]); r[i]+=rows[i+2][7]; }
  std::array<double,3000> a, b;
  for(int i=0;i<3000;i++) a[i]=i;
  b=a;
  double t=0; for(int i=0;i<400;i++) t+=r[i]*(i%7);
  for(int i=0;i<100;i++) t+=x[i]*i+y[i]*3;
  for(int i=0;i<3000;i++) t+=b[i]*i;
  std::printf("%.17g\n",t); return 0;}
// LOOPS: 13 i no
// LOOPS: 17 i no

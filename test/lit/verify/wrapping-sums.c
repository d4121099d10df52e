// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --no-progress | FileCheck %s
// RUN: %busfare loops %s -- | tr -s ' ' | FileCheck %s --check-prefix=LOOPS
// Unsigned sums that wrap, and what is left of a long number in an int.
// CHECK: verify: passed
#include <stdio.h>
double a[1000]; unsigned off=-1;
int main(void){
  for(int i=0;i<1000;i++) a[i]=i;
  for(unsigned i=1;i<500;i++) a[i+off]=a[i]+1;
  for(unsigned i=1;i<500;i++) a[i+off+2]=a[i]+1;
  long long big=4294967296LL;
  for(int i=0;i<500;i++) a[(unsigned)(big+i)]=a[i+1]+1;
  for(unsigned i=0;i<500;i++) a[(i+4294967295u)+2]=a[i]+1;
  double t=0; for(int i=0;i<1000;i++) t+=a[i]*(i%7);
  printf("%.17g\n",t);return 0;}
// LOOPS: 10 i no
// LOOPS: 11 i no
// LOOPS: 13 i no
// LOOPS: 14 i no

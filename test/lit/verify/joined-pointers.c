// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --no-progress | FileCheck %s
// RUN: %busfare loops %s -- | tr -s ' ' | FileCheck %s --check-prefix=LOOPS
// A store through a pointer to one of two integers changes either.
// CHECK: verify: passed
#include <stdio.h>
static double b[100];
int main(int argc,char**argv){
  int m=10,n=20;
  int *q=argc>0?&m:&n;
  *q=40;
  for(int i=0;i<m;i++) b[i]=i;
  int k=0,j=0; double a[50];
  for(int i=0;i<50;i++) a[i]=i;
  for(int i=0;i<50;i++){ int*r=i&1?&k:&j; b[k]+=a[i]; *r=i; }
  double s=0;
  for(int i=0;i<100;i++) s+=b[i]*(i+1);
  printf("%.12g %d\n",s,n); return 0; }
// LOOPS: 12 i yes
// LOOPS: 15 i no

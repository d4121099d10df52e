// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --no-progress | FileCheck %s
// RUN: %busfare loops %s -- | tr -s ' ' | FileCheck %s --check-prefix=LOOPS
// Global pointers that their declarations set name memory that has another name, too.
// CHECK: verify: passed
#include <stdio.h>
double C[100]; double *gc=C; static int k=10,*pk=&k; static double b[100];
struct { double *p; } h = {C};
int main(void){
  *pk=40; for(int i=0;i<k;i++) b[i]=i;
  for(int i=1;i<100;i++) gc[i]=C[i-1]+1;
  for(int i=1;i<100;i++) h.p[i]=C[i-1]+1;
  double s=0;
  for(int i=0;i<100;i++) s+=C[i]*i+b[i]*(i+1);
  printf("%.12g\n",s); return 0; }
// LOOPS: 10 i yes
// LOOPS: 11 i no
// LOOPS: 12 i no

// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --no-progress | FileCheck %s
// RUN: %busfare loops %s -- | tr -s ' ' | FileCheck %s --check-prefix=LOOPS
// C rounds quotients towards 0.
// CHECK: verify: passed
#include <stdio.h>
int a[64];
int main(void){
  for(int i=0;i<64;i++) a[i]=i;
  for(int i=-3;i<=3;i+=2) a[i/2+5]=i;
  for(int i=0;i<12;i++) a[(i-6)%7+20]=100+i;
  for(int i=0;i<9;i++) a[i%-3+35]=i;
  for(int i=-9;i<=0;i++) a[i/2+50]=i;
  for(int i=0;i<64;i++) printf("%d ",a[i]);
  puts(""); return 0; }
// LOOPS: 10 i no
// LOOPS: 11 i no
// LOOPS: 12 i no
// LOOPS: 13 i no

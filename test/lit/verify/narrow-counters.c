// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --no-progress | FileCheck %s
// RUN: %busfare loops %s -- | tr -s ' ' | FileCheck %s --check-prefix=LOOPS
// Counters of 8 and 16 bits wrap, and so does what is shifted to the top of a word.
// CHECK: verify: passed
#include <stdio.h>
#include <stdint.h>
static int ring[256], src[1000], big[65536], o2[8];
int main(void){
  for(int i=0;i<1000;i++) src[i]=i*3;
  uint8_t head=0;
  for(int i=0;i<1000;i++) ring[head++]=src[i];
  uint16_t j=0;
  for(int i=0;i<70000;i++) big[j++]=i;
  unsigned w=0;
  for(int i=0;i<40;i++){ o2[w>>29]=i; w+=0x20000000u; }
  for(unsigned i=0;i<200000;i+=50000) o2[(i*65536u)>>29]+=i;
  uint8_t g=0;
  for(int i=0;i<50;i++){ ring[g]+=1; g+=16; }
  long s=0;
  for(int i=0;i<256;i++) s+=(long)ring[i]*(i+1)+big[i*100];
  for(int i=0;i<8;i++) s+=o2[i]*(i+2);
  printf("%ld\n",s);
  return 0; }
// LOOPS: 12 i no
// LOOPS: 14 i no
// LOOPS: 16 i no
// LOOPS: 19 i no

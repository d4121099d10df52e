// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --no-progress | FileCheck %s
// RUN: %busfare loops %s -- | tr -s ' ' | FileCheck %s --check-prefix=LOOPS
// A pointer to a row's elements walks on into the next rows.
// CHECK: verify: passed
#include <stdio.h>
static double m[40][40]; static double c3[5][6][20]; static struct {double x,y,w;} s3[40];
int main(void){
  for(int i=0;i<40;i++)
    for(int j=0;j<40;j++) m[i][j]=i+j;
  for(int i=0;i<40;i++) s3[i].x=s3[i].y=s3[i].w=i;
  double *p=m[0];
  for(int i=0;i<40;i++,p+=40)
    for(int j=0;j<40;j++) p[j]+=1;
  double *q=m[0];
  for(int i=1;i<40;i++) q[40*i]=m[i-1][0]+1;
  double *r=c3[0][0];
  for(int i=1;i<6;i++) r[20*i]=c3[0][i-1][0]+1;
  double *v=&s3[0].x;
  for(int i=1;i<40;i++) v[3*i]=s3[i-1].x+1;
  double *t=*m; for(int k=0;k<1600;k++) *t++*=2;
  double s=0;
  for(int i=0;i<40;i++)
    for(int j=0;j<40;j++) s+=m[i][j]*(i+2*j)+s3[i].x+s3[i].y*j+c3[i%5][i%6][j%20];
  printf("%.12g\n",s);
  return 0; }
// LOOPS: 13 i no
// LOOPS: 16 i no
// LOOPS: 18 i no
// LOOPS: 20 i no
// LOOPS: 21 k no

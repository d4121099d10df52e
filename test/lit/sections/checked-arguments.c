// What holds where the program has not ended with a message holds of all loops behind, and of no others.
// RUN: %busfare loops %s -- | %FileCheck %s
#include <stdio.h>
#include <stdlib.h>
static double a[100000];
int main(int argc, char **argv) {
  long length = atol(argv[1]), offset = atol(argv[2]), late = atol(argv[3]), early = atol(argv[4]), either = atol(argv[5]);
  long open = atol(argv[6]), inside = atol(argv[7]);
  for (int k = 1; k < argc; k++)
    printf("%s\n", argv[k]);
  for (long k = -2; k < early; k++)
    printf("early\n");
  if (early < 0) exit(4);
  if (offset < 0 || length < 1) {
    fprintf(stderr, "ERROR: offset %ld\n", offset);
    exit(1);
  }
  if (either >= 0) {
    printf("%ld\n", either);
  } else abort();
  if (open < 0) printf("negative\n");
  if (argc > 3) {
    if (inside < 0) exit(2);
  }
  // CHECK: [[#@LINE+1]] i yes no two iterations touch the same element
  for (long i = 0; i < length; i++) a[i] += a[i + length + offset];
  // CHECK: [[#@LINE+1]] i yes no two iterations touch the same element
  for (long i = 0; i < length; i++) a[i] += a[i + length + either];
  // CHECK: [[#@LINE+1]] i no a[i]
  for (long i = 0; i < length; i++) a[i] += a[i + length + open];
  // CHECK: [[#@LINE+1]] i no a[i]
  for (long i = 0; i < length; i++) a[i] += a[i + length + inside];
  // A loop before has run with what is checked then: it is not taken for checked anywhere.
  // CHECK: [[#@LINE+1]] i no a[i]
  for (long i = 0; i < length; i++) a[i] += a[i + length + early];
  // Behind a loop that the device could run: its copies might be made before anybody has asked.
  if (late < 0) exit(3);
  // CHECK: [[#@LINE+1]] i no a[i]
  for (long i = 0; i < length; i++) a[i] += a[i + length + late];
  printf("%g\n", a[5]);
  return 0;
}

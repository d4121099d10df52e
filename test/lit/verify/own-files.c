// A program that writes a file and reads it again runs alone: two at once would find what the other has written so far.
// REQUIRES: watch, gcc, offload
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %busfare verify %{s:real} --no-progress --kernels all --mutants --args 40 | FileCheck %{s:real}
// CHECK: verify: passed
// CHECK: 0 survived
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int n = atoi(argv[1]), last = 0;
  int *u = malloc(n * sizeof *u);
  for (int i = 0; i < n; i++)
    u[i] = 3 * i;
  FILE *file = fopen("sums", "wx"); // not if it is there already
  if (!file)
    return 3;
  fprintf(file, "%d\n", u[n - 1]);
  fclose(file);
  usleep(20000);
  file = fopen("sums", "r");
  if (!file || fscanf(file, "%d", &last) != 1)
    return 4;
  fclose(file);
  remove("sums");
  printf("%d\n", last);
}

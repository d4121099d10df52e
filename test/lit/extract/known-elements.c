// Constants in a local array, from where they are set up to where something may write them.
// RUN: %busfare extract known-elements.c | %FileCheck known-elements.c
#include <stdlib.h>
#include <string.h>
void unseen(int *);
static double u[100];
static int *kept;

static void update(const int *fields) {
  if (fields[0] == 1)
    for (int i = 0; i < 100; i++) u[i] *= 2;
  if (fields[1] == 1)
    for (int i = 0; i < 100; i++) u[i] += 3;
}
static void count(int *fields) { fields[1]++; }
static void keep(int *fields) { kept = fields; }
static void reset(void) { *kept = 5; }

// CHECK-LABEL: function main(
int main(int argc, char **argv) {
  int fields[3] = {0, 1};
  update(fields); // CHECK: call update(&fields, 0, 1)
  fields[0] = 1;
  update(fields); // CHECK: call update(&fields, 1, 1)
  count(fields);
  update(fields); // CHECK: call update(&fields, `*fields`, `fields[1]`)
  for (int k = 0; k < 3; k++) fields[k] = 0;
  update(fields); // CHECK: call update(&fields, 0, 0)
  fields[argc] = 1;
  update(fields); // CHECK: call update(&fields, `*fields.2`, `fields[1].2`)
  memset(fields, 0, sizeof fields);
  fields[1] = 4;
  update(fields); // CHECK: call update(&fields, `*fields.3`, 4)
  if (argc > 3) fields[1] = 6;
  fields[0] = 2;
  update(fields); // CHECK: call update(&fields, 2, `fields[1].3`)
  fields[1] = 6;
  for (int t = 0; t < 4; t++) {
    update(fields); // CHECK: call update(&fields, `*fields.4`, `fields[1].4`)
    fields[0] = 7;
  }
  fields[0] = 2;
  for (int t = 0; t < 4; t++) update(fields); // CHECK: call update(&fields, 2, `fields[1].5`)
  int *p = fields + 1;
  *p = 8;
  update(fields); // CHECK: call update(&fields, 2, 8)
  keep(fields);
  update(fields); // CHECK: call update(&fields, 2, 8)
  fields[0] = 3;
  reset();
  update(fields); // CHECK: call update(&fields, `*fields.5`, `fields[1].6`)
  int others[2] = {5, 6};
  unseen(others);
  update(others); // CHECK: call update(&others, `*others`, `others[1]`)
  others[0] = 1;
  unseen(NULL);
  update(others); // CHECK: call update(&others, `*others.2`, `others[1].2`)
  return u[3] > 1;
}

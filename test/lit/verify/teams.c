// Teams of which the program counts on as many as it asks for stay, on the host; a loop that is shared out among teams is
// the same for any number of them.
// REQUIRES: watch, gcc, offload
// RUN: %busfare verify %s --no-progress -- -fopenmp | FileCheck %s
// RUN: %busfare port %s -- -fopenmp 2>/dev/null | grep -v "// [A-Z]" | FileCheck %s --check-prefix=PORT --implicit-check-not=tofrom
// CHECK: verify: passed
// PORT: static void fill
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#define TEAMS 2

static void fill(int *seen, int n) {
// PORT: #pragma omp teams num_teams(TEAMS) thread_limit(1) firstprivate(n)
// PORT-NEXT: {
#pragma omp target teams num_teams(TEAMS) thread_limit(1) map(tofrom : seen[0:n]) \
    firstprivate(n)
  {
    int team = omp_get_team_num();
    for (int i = team; i < n; i += omp_get_num_teams())
      seen[i] = 10 * i + team;
  }
}

int main(void) {
  int n = 96, *seen = malloc(n * sizeof *seen), *twice = malloc(n * sizeof *twice);
  for (int i = 0; i < n; i++)
    seen[i] = twice[i] = rand() % 10;
  // PORT: fill(seen, n);
  fill(seen, n);
  // PORT: #pragma omp target teams distribute parallel for map(alloc: seen[0:96], twice[0:96])
  // PORT-NEXT: for (int i = 0; i < n; i++)
#pragma omp target teams num_teams(3) map(tofrom : twice[0:n])
#pragma omp distribute
  for (int i = 0; i < n; i++)
    twice[i] += 2 * seen[i];
  for (int i = 0; i < n; i++)
    printf("%d %d\n", seen[i], twice[i]);
  return 0;
}

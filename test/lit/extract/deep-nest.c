// What an iteration of a loop changes is found out on trial, and where that tells nothing that holds in the next walk (a
// pointer into a table of blocks that is set where data say so) the loops inside are tried for every loop around. So many
// statements are walked on trial and no more: a finding says from where on. The loops keep their bounds, and what the
// innermost one touches stays there.
//
// RUN: %busfare extract %s | %FileCheck %s

struct block {
  int number;
  double *cells;
};
struct block *blocks;
int *counts, *order;

// CHECK-LABEL: function init(
void init(void) {
  int o = 0, a, b, c, d, e, f, g, h, i, j, k;
  struct block *at;
  // CHECK: for a = 0 .. {{.*}} at [[@LINE+1]]:3
  for (a = 0; a < counts[0]; a++)
    for (b = 0; b < counts[1]; b++)
      for (c = 0; c < counts[2]; c++)
        for (d = 0; d < counts[3]; d++)
          for (e = 0; e < counts[4]; e++)
            for (f = 0; f < counts[5]; f++)
              for (g = 0; g < counts[6]; g++)
                for (h = 0; h < counts[7]; h++)
                  for (i = 0; i < counts[8]; i++)
                    for (j = 0; j < counts[9]; j++)
                      // CHECK: for k = 0 .. {{.*}} at [[@LINE+1]]:23
                      for (k = 0; k < counts[10]; k++) {
                        // CHECK: read order{{.*}} at [[@LINE+1]]:
                        if (order[o] == a) {
                          at = &blocks[o];
                          // CHECK: may write blocks{{.*}} at [[@LINE+1]]:
                          at->number = o;
                          // CHECK: write `at->cells`{{.*}} at [[@LINE+1]]:
                          at->cells[a] = 0;
                          o++;
                        }
                      }
}
// CHECK: finding BF016 remark at {{.*}} "loops nest so deep that from here on what the inner ones change is not followed; it counts as unknown"
// CHECK-NOT: BF016

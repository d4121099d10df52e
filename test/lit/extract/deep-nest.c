// Ten loops inside each other whose trials tell nothing that holds in the next one: a pointer into a table of blocks that
// an iteration sets, and tables of tables. Reading ends soon all the same, and the loops inside keep their bounds.
//
// RUN: %busfare extract %s | %FileCheck %s
// RUN: %busfare extract --unit-time-limit 60 %s

#include <stdlib.h>

struct block {
  int level, number, face[6];
  double ****cells;
};

struct block *blocks;
int parts[3], sizes[3], cells[3], vars, me;
int ***owner;
int *order;

// CHECK-LABEL: function init(
void init(void) {
  int o, n, i, j, k, i1, j1, k1, i2, j2, k2, m, v, a, b, c;
  struct block *at;
  for (o = n = k1 = k = 0; k < parts[2]; k++)
    for (k2 = 0; k2 < sizes[2]; k1++, k2++)
      for (j1 = j = 0; j < parts[1]; j++)
        for (j2 = 0; j2 < sizes[1]; j1++, j2++)
          for (i1 = i = 0; i < parts[0]; i++)
            for (i2 = 0; i2 < sizes[0]; i1++, i2++, n++) {
              m = owner[i1][j1][k1];
              if (m == me) {
                at = &blocks[o];
                at->level = 0;
                at->number = n;
                order[o] = n;
                for (v = 0; v < vars; v++)
                  for (a = 0; a < cells[0]; a++)
                    for (b = 0; b < cells[1]; b++)
                      for (c = 0; c < cells[2]; c++) at->cells[v][a][b][c] = (double)rand();
                for (a = 0; a < 6; a++) at->face[a] = 0;
                for (a = 0; a < 6; a++)
                  if (a < 3) at->face[a] = i2 == 0 ? -1 : owner[i1][j1][k1];
                  else at->face[a] = j2 == 0 ? k : owner[i][j][k];
                o++;
              }
            }
// CHECK: for a{{.*}} = 0 .. 5
}

// Read by files.c and files-spread.c.
enum { cells = 40 };
extern double field[cells];
void spread(double *to, const double *from, int n);

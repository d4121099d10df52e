// A recurrence: nothing in it is parallel.
double x[100];

int main(void) {
  for (int i = 1; i < 100; i++)
    x[i] = 0.5 * x[i - 1] + x[i];
  return x[99] > 1;
}

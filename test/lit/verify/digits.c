// RUN: %clang -w %s %digits -o %t
// RUN: %t 2>&1 | FileCheck --check-prefix=PLAIN %s
// RUN: env BUSFARE_DIGITS=1 %t 2>&1 | tr '\037' '!' | FileCheck --check-prefix=DIGITS %s
// printf that tells values with all their digits, where it is asked to; nothing else changes.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>

int main(void) {
  int written = printf("%5.2f|%-8.3lf|%s %c %% %ld %zu %*d %.*f %Lf %hhd %p\n", 18.085, 2.5, "text", 'x', 5L, (size_t)7, 4, 42, 3,
                       1.25, 1.5L, (char)3, (void *)0);
  // PLAIN: {{^}}18.09|2.500   |text x % 5 7   42 1.250 1.500000 3 (nil)
  // DIGITS: {{^}}18.09!18.085000000000001!|2.500   !2.5!|text x % 5 7   42 1.250!1.25! 1.500000!1.5! 3 (nil)
  printf("%d\n", written);
  // PLAIN-NEXT: {{^}}56{{$}}
  // DIGITS-NEXT: {{^}}56{{$}}
  printf("%2$s %1$.1f\n", 0.25, "by position");
  // PLAIN-NEXT: by position 0.2
  // DIGITS-NEXT: by position 0.2
  errno = ENOENT;
  printf("%m\n");
  // DIGITS-NEXT: No such file
  fflush(stdout);
  fprintf(stderr, "%g\n", 1.0 / 3);
  // PLAIN: 0.333333
  // DIGITS: 0.333333!0.33333333333333331!
  fprintf(stderr, "%600.1f|\n", 0.5);
  // PLAIN: 0.5|
  // DIGITS: 0.5!0.5!|
  char text[32];
  snprintf(text, sizeof text, "%.1f", 0.75);
  puts(text);
  // DIGITS: {{^}}0.8{{$}}
  return 0;
}

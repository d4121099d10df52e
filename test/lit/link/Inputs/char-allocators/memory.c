#include <stdio.h>
#include <stdlib.h>
static int out_of_memory(size_t bytes) {
  printf("%d\n", (int)bytes);
  return 0;
}
char *make(size_t count, size_t size) {
  void *memory;
  if (count * size > 0) {
    memory = calloc(count, size);
    if (!memory)
      out_of_memory(count * size);
  } else
    memory = NULL;
  return (char *)memory;
}

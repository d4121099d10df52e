#include "stream.h"
int main() {
  Stream<double> *stream = new Serial<double>(1000);
  for (int t = 0; t < 10; t++)
    stream->triad();
  delete stream;
}

// RUN: %busfare loops %s -- | FileCheck %s
// An index that is cut to a few bits is itself modulo a power of two.
int a[256], b[256], c[70000];
void wraps(void) {
  for (int i = 0; i < 1000; i++) // CHECK: {{^ +}}[[#@LINE]] {{.*}}no {{.*}}a[i mod 256]
    a[(unsigned char)i] = i;
}
void permutes(void) {
  for (int i = 0; i < 256; i++) // CHECK: {{^ +}}[[#@LINE]] {{.*}}yes
    b[(unsigned char)(i + 100)] = i;
}
void with_a_sign(void) {
  for (int i = 0; i < 256; i++) // CHECK: {{^ +}}[[#@LINE]] {{.*}}yes
    b[(signed char)i + 128] = i;
}
void with_a_sign_again(void) {
  for (int i = 0; i < 257; i++) // CHECK: {{^ +}}[[#@LINE]] {{.*}}no
    b[(signed char)i + 128] = i;
}
void of_sixteen_bits(void) {
  for (int i = 0; i < 65536; i++) // CHECK: {{^ +}}[[#@LINE]] {{.*}}yes
    c[(unsigned short)(i - 7)] = i;
}
void of_data(const int *restrict k) {
  for (int i = 0; i < 256; i++) // CHECK: {{^ +}}[[#@LINE]] {{.*}}no
    b[(unsigned char)k[i]] = i;
}

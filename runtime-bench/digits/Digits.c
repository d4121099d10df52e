//===- runtime-bench/digits/Digits.c - printf that hides no digits ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Programs print fewer digits than they compute: "%.2f" of 18.085 is 18.08 or 18.09,
// whichever way the last bits fall. Linked into a program, this printf writes to the
// standard streams, behind each floating-point number, its value between two bytes 0x1f:
//
//   printf("sum=%.2f\n", sum)    ->   sum=18.09<0x1f>18.085000000000001<0x1f>
//
// so that who compares two outputs can tell a rounding from a difference. What is
// returned counts the program's own characters. Only where BUSFARE_DIGITS is set.
//
// Formats with positions (%1$d), %n and conversions that glibc alone knows are left as
// they are.
//
//===----------------------------------------------------------------------===//
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum Length { None, Char, Short, Long, LongLong, Size, Max, Difference, LongDouble };

/// One conversion: "%-8.3lf".
struct Conversion {
  const char *begin, *end;
  int stars; ///< Widths and precisions that are arguments.
  enum Length length;
  char kind; ///< 0: not one of those known here.
};

static struct Conversion conversionAt(const char *percent) {
  struct Conversion c = {percent, percent + 1, 0, None, 0};
  const char *p = percent + 1;
  p += strspn(p, "-+ #0'");
  for (int part = 0; part < 2; ++part) {
    if (*p == '*')
      ++c.stars, ++p;
    else
      p += strspn(p, "0123456789");
    if (part == 0 && *p != '.')
      break;
    p += part == 0;
  }
  switch (*p) {
  case 'h': c.length = p[1] == 'h' ? Char : Short; break;
  case 'l': c.length = p[1] == 'l' ? LongLong : Long; break;
  case 'z': c.length = Size; break;
  case 'j': c.length = Max; break;
  case 't': c.length = Difference; break;
  case 'L': c.length = LongDouble; break;
  default: break;
  }
  p += c.length == None ? 0 : c.length == Char || c.length == LongLong ? 2 : 1;
  if (*p && strchr("diouxXcspfFeEgGaA%", *p))
    c.kind = *p;
  c.end = *p ? p + 1 : p;
  return c;
}

static int isUnderstood(const char *format) {
  for (const char *p = strchr(format, '%'); p; p = strchr(p, '%')) {
    struct Conversion c = conversionAt(p);
    if (!c.kind || c.end - c.begin > 30)
      return 0;
    p = c.end;
  }
  return 1;
}

/// Writes what fits into a small buffer, or what takes a larger one.
static int put(FILE *file, const char *format, ...) {
  char small[512];
  va_list list, again;
  va_start(list, format);
  va_copy(again, list);
  int length = vsnprintf(small, sizeof small, format, list);
  if (length >= 0 && (size_t)length < sizeof small) {
    fwrite(small, 1, (size_t)length, file);
  } else if (length >= 0) {
    char *large = malloc((size_t)length + 1);
    if (large) {
      vsnprintf(large, (size_t)length + 1, format, again);
      fwrite(large, 1, (size_t)length, file);
      free(large);
    }
  }
  va_end(again);
  va_end(list);
  return length;
}

struct Arguments {
  va_list list;
};

static int putConversion(FILE *file, const struct Conversion *c, struct Arguments *from) {
  char one[32];
  memcpy(one, c->begin, (size_t)(c->end - c->begin));
  one[c->end - c->begin] = 0;
  int star[2] = {0, 0};
  for (int i = 0; i < c->stars; ++i)
    star[i] = va_arg(from->list, int);
#define PUT(value)                                                                                                     \
  (c->stars == 0 ? put(file, one, value) : c->stars == 1 ? put(file, one, star[0], value) : put(file, one, star[0], star[1], value))
  switch (c->kind) {
  case '%':
    return put(file, "%%");
  case 's':
  case 'p': {
    void *value = va_arg(from->list, void *);
    return PUT(value);
  }
  case 'f': case 'F': case 'e': case 'E': case 'g': case 'G': case 'a': case 'A':
    if (c->length == LongDouble) {
      long double value = va_arg(from->list, long double);
      int written = PUT(value);
      put(file, "\x1f%.21Lg\x1f", value);
      return written;
    } else {
      double value = va_arg(from->list, double);
      int written = PUT(value);
      put(file, "\x1f%.17g\x1f", value);
      return written;
    }
  default:
    break;
  }
  switch (c->length) {
  case Long: {
    if (c->kind == 'c') {
      wint_t value = va_arg(from->list, wint_t);
      return PUT(value);
    }
    long value = va_arg(from->list, long);
    return PUT(value);
  }
  case LongLong: {
    long long value = va_arg(from->list, long long);
    return PUT(value);
  }
  case Size: {
    size_t value = va_arg(from->list, size_t);
    return PUT(value);
  }
  case Max: {
    intmax_t value = va_arg(from->list, intmax_t);
    return PUT(value);
  }
  case Difference: {
    ptrdiff_t value = va_arg(from->list, ptrdiff_t);
    return PUT(value);
  }
  default: {
    int value = va_arg(from->list, int);
    return PUT(value);
  }
  }
#undef PUT
}

static int putAsIs(FILE *file, const char *format, va_list list) {
  va_list again;
  va_copy(again, list);
  int length = vsnprintf(NULL, 0, format, list);
  char *text = length >= 0 ? malloc((size_t)length + 1) : NULL;
  if (text) {
    vsnprintf(text, (size_t)length + 1, format, again);
    fwrite(text, 1, (size_t)length, file);
    free(text);
  }
  va_end(again);
  return length;
}

int vfprintf(FILE *file, const char *format, va_list list) {
  if ((file != stdout && file != stderr) || !getenv("BUSFARE_DIGITS") || !isUnderstood(format))
    return putAsIs(file, format, list);
  struct Arguments from;
  va_copy(from.list, list);
  flockfile(file);
  int total = 0;
  for (const char *p = format; *p;) {
    const char *percent = strchrnul(p, '%');
    fwrite(p, 1, (size_t)(percent - p), file);
    total += (int)(percent - p);
    p = percent;
    if (*p) {
      struct Conversion c = conversionAt(p);
      total += putConversion(file, &c, &from);
      p = c.end;
    }
  }
  funlockfile(file);
  va_end(from.list);
  return total;
}

int vprintf(const char *format, va_list list) { return vfprintf(stdout, format, list); }

int printf(const char *format, ...) {
  va_list list;
  va_start(list, format);
  int written = vfprintf(stdout, format, list);
  va_end(list);
  return written;
}

int fprintf(FILE *file, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int written = vfprintf(file, format, list);
  va_end(list);
  return written;
}

// What -D_FORTIFY_SOURCE makes of them.

int __printf_chk(int flag, const char *format, ...) {
  (void)flag;
  va_list list;
  va_start(list, format);
  int written = vfprintf(stdout, format, list);
  va_end(list);
  return written;
}

int __fprintf_chk(FILE *file, int flag, const char *format, ...) {
  (void)flag;
  va_list list;
  va_start(list, format);
  int written = vfprintf(file, format, list);
  va_end(list);
  return written;
}

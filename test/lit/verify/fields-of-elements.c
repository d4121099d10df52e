// Fields of one element are apart: what a loop reads of all bodies it does not write. Arrays in structs by their elements, if the
// index stays inside.
// REQUIRES: watch, gcc, offload
// RUN: %busfare loops %s -- | FileCheck %s
// RUN: %busfare verify --mutants --no-progress %s -- | FileCheck %s --check-prefix=VERIFY
// VERIFY: verify: passed
#include <math.h>
#include <stdio.h>
typedef struct { float x, y, z, vx, vy, vz, m; } body;
typedef struct { int id; double at[3], speed[3]; } point;
union both { int whole; short half[2]; };
typedef struct { union both u; short next; } mixed;
static body b[60];
static point p[50];
static mixed q[40];

static void forces(body *b, int n, float dt) {
  // CHECK: [[@LINE+1]] {{ *}}i {{ *}}yes
  for (int i = 0; i < n; i++) {
    float fx = 0, fy = 0, fz = 0;
    for (int j = 0; j < n; j++) {
      float dx = b[j].x - b[i].x, dy = b[j].y - b[i].y, dz = b[j].z - b[i].z;
      float d2 = dx * dx + dy * dy + dz * dz + 1e-3f, f = b[j].m / (d2 * sqrtf(d2));
      fx += f * dx, fy += f * dy, fz += f * dz;
    }
    b[i].vx += dt * fx, b[i].vy += dt * fy, b[i].vz += dt * fz;
  }
}

static void push(point *p, int n) {
  // CHECK: [[@LINE+1]] {{ *}}i {{ *}}yes
  for (int i = 0; i < n; i++)
    // CHECK: ..d {{ *}}no {{ *}}p[i] -> p[i]: it cannot be excluded
    for (int d = 0; d < 3; d++) {
      double all = 0;
      for (int j = 0; j < n; j++) all += p[j].at[d];
      p[i].speed[d] = all * 0.01 + p[i].id;
    }
}

static void spill(point *p, int n) {
  // CHECK: [[@LINE+1]] {{ *}}i {{ *}}no
  for (int i = 1; i < n; i++)
    for (int d = 0; d < 3; d++) p[i].at[d] = p[i - 1].at[2 - d] * 0.5 + 1;
}

static void halves(mixed *q, int n) {
  // CHECK: [[@LINE+1]] {{ *}}i {{ *}}no
  for (int i = 1; i < n; i++) q[i].u.half[1] = (short)(q[i - 1].u.whole % 99 + i);
  // CHECK: [[@LINE+1]] {{ *}}i {{ *}}yes
  for (int i = 1; i < n; i++) q[i].next = (short)(q[i - 1].u.whole % 99 + i);
}

int main(void) {
  for (int i = 0; i < 60; i++) {
    b[i].x = i % 7, b[i].y = i % 5, b[i].z = i % 3, b[i].m = 1 + i % 2;
    b[i].vx = b[i].vy = b[i].vz = 0;
  }
  for (int i = 0; i < 50; i++) {
    p[i].id = i;
    for (int d = 0; d < 3; d++) p[i].at[d] = i + d, p[i].speed[d] = 0;
  }
  for (int i = 0; i < 40; i++) q[i].u.whole = i, q[i].next = 0;
  forces(b, 60, 0.01f);
  push(p, 50);
  spill(p, 50);
  halves(q, 40);
  double sum = 0;
  for (int i = 0; i < 60; i++) sum += b[i].vx + b[i].vy * 2 + b[i].vz * 3;
  for (int i = 0; i < 50; i++) sum += p[i].at[1] + p[i].speed[2];
  for (int i = 0; i < 40; i++) sum += q[i].u.whole + q[i].next;
  printf("%.3f\n", sum);
}

// A page of its own: the report as JSON in it, the source, the pages of its rules, and prices at other settings.
// REQUIRES: page
// RUN: %busfare analyze %s --format html -o %t.html --runs 10
// RUN: %python %S/Inputs/embedded.py %t.html report,regions,0,id prices,0,sizes,1,varies sources,0,file said,runs | FileCheck %s
// RUN: FileCheck --check-prefix=PAGE --input-file=%t.html %s

// PAGE: <!doctype html>
// PAGE: Content-Security-Policy" content="default-src 'none'; base-uri 'none'; form-action 'none'; script-src 'sha256-
// PAGE-NOT: http-equiv="refresh"
// Comments cannot end the data they are in: </script><script>alert(1)</script>
// PAGE-NOT: <script>alert(1)
// CHECK: report,regions,0,id: "html.c:21:scale"
// CHECK: prices,0,sizes,1,varies: "scale::n"
// CHECK: sources,0,file: {{.*}}html.c
// CHECK: said,runs: "10"
// What the controls vary stands once in the command that they show.
// RUN: %python %S/Inputs/embedded.py %t.html said,command | FileCheck --check-prefix=COMMAND %s
// COMMAND: said,command: "busfare analyze {{[^"]*}}html.c"

void scale(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] *= 2;
}

#pragma clang __debug parser_crash
void lost(double *a, int n);

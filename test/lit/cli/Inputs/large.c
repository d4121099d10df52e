// Twenty million initialisers: more than a gigabyte of syntax tree.
#define A 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
#define B A, A, A, A, A, A, A, A, A, A
#define C B, B, B, B, B, B, B, B, B, B
#define D C, C, C, C, C, C, C, C, C, C
#define E D, D, D, D, D, D, D, D, D, D
#define F E, E, E, E, E, E, E, E, E, E
int table[] = {F, F, F, F, F, F, F, F, F, F, F, F, F, F, F, F, F, F, F, F};

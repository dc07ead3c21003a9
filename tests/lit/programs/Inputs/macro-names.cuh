// Sizes for macro-names.cu.
#define T float
#define value 7
#define zero 0
#define v 1
#define block 256
#define at 3

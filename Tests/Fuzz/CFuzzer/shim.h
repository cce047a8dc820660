#pragma once
#include <stddef.h>
#include <stdint.h>

// libFuzzer's own entry for programs that have their own main; no header of LLVM's declares it in C.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*test_one_input)(const uint8_t *data, size_t size));

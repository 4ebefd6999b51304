/* Says what is missing on a processor that this binary was not built for, instead of an illegal instruction.
 *
 * A build with target-cpu=native uses every instruction set of the machine that built it, in Rust's own start-up code
 * too. So this is C, which is compiled for any x86-64, and it runs before anything else does. build.rs writes needed_features.h:
 * the instruction sets that the compiler of Rust was allowed to use. */

#include <cpuid.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEAF_1_ECX, LEAF_7_EBX, LEAF_7_ECX, EXTENDED_ECX, REGISTERS };

static const struct {
    const char *name;
    int in, bit;
} needed[] = {
#include "needed_features.h"
    {NULL, 0, 0},
};

__attribute__((constructor)) static void check_processor(void)
{
    unsigned eax, ebx, ecx, edx, has[REGISTERS] = {0};
    if (__get_cpuid(1, &eax, &ebx, &ecx, &edx))
        has[LEAF_1_ECX] = ecx;
    if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx)) {
        has[LEAF_7_EBX] = ebx;
        has[LEAF_7_ECX] = ecx;
    }
    if (__get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx))
        has[EXTENDED_ECX] = ecx;

    int missing = 0;
    for (int i = 0; needed[i].name; i++) {
        if (has[needed[i].in] >> needed[i].bit & 1)
            continue;
        if (!missing)
            fputs("mnemon: this binary was built for another processor; this one lacks", stderr);
        fprintf(stderr, "%s %s", missing ? "," : "", needed[i].name);
        missing = 1;
    }
    if (missing) {
        fputs(". Build it on this machine with 'cargo build --release', or for any x86-64 with 'cargo dist'.\n", stderr);
        exit(EXIT_FAILURE);
    }
}

/* What a driver may call, on the board and on the host. Every emitted value is
   a line of its own, and the lines of the two must agree. */
#ifndef METAL_H
#define METAL_H

#include <stddef.h>
#include <stdint.h>

/* The driver: all impacts of a case. Anything but 0 is a failure. */
int run(void);

/* Bit patterns in hexadecimal; every NaN is printed as the same one. */
void emit_f64(double value);
void emit_f32(float value);
void emit_u64(uint64_t value);
/* A line of text, without the newline. */
void emit_text(const char *text);

/* Instructions executed so far, modulo 2^32; on the host 0. */
uint32_t instructions(void);
/* Bytes written below the caller's stack since it was painted; on the host 0. */
void paint_stack(void);
size_t stack_used(void);

/* Around the one call to be measured. The stack counts from the function that
   holds this pair, and from 16 bytes, which the pair itself needs. */
void measure_start(void);
void measure_end(void);
static inline void measure_begin(void) {
    paint_stack();
    measure_start();
}

#endif

/* The functions of metal.h. On the board lines leave through semihosting and
   instructions are counted by a timer: run by the emulator at `-icount
   shift=6`, every instruction takes 64 ns, which is 8/5 of its 40 ns tick. */
#include "metal.h"

#include <string.h>

static void put_line(const char *line);

static void put_hex(const char *kind, uint64_t value, int digits) {
    char line[32];
    size_t at = strlen(kind);
    memcpy(line, kind, at);
    while (digits-- > 0)
        line[at++] = "0123456789abcdef"[(value >> (4 * digits)) & 15];
    line[at] = 0;
    put_line(line);
}

void emit_f64(double value) {
    uint64_t bits = UINT64_C(0x7ff8000000000000);
    if (value == value)
        memcpy(&bits, &value, sizeof bits);
    put_hex("f64 ", bits, 16);
}

void emit_f32(float value) {
    uint32_t bits = UINT32_C(0x7fc00000);
    if (value == value)
        memcpy(&bits, &value, sizeof bits);
    put_hex("f32 ", bits, 8);
}

void emit_u64(uint64_t value) { put_hex("u64 ", value, 16); }

void emit_text(const char *text) { put_line(text); }

static uint32_t calls, most, overhead, started;
static uint64_t total;
static size_t deepest;

void measure_start(void) { started = instructions(); }

void measure_end(void) {
    uint32_t counted = instructions() - started;
    counted = counted > overhead ? counted - overhead : 0;
    size_t stack = stack_used();
    calls += 1;
    total += counted;
    most = counted > most ? counted : most;
    deepest = stack > deepest ? stack : deepest;
}

#ifdef __arm__

#define TIMER ((volatile uint32_t *)0x40000000) /* control, value, reload */

void known_loop(void);
void metal_main(void);
void fault(void);

static int semihosting(int operation, const void *argument) {
    register int r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

static void leave(uint32_t status) {
    const uint32_t block[2] = {0x20026, status};
    semihosting(0x20, block); /* SYS_EXIT_EXTENDED */
    for (;;) {
    }
}

static void put_line(const char *line) {
    semihosting(0x04, line); /* SYS_WRITE0 */
    semihosting(0x04, "\n");
}

void fault(void) {
    put_line("fault");
    leave(70);
}

uint32_t instructions(void) {
    static uint32_t last = UINT32_MAX;
    static uint64_t ticks;
    uint32_t now = TIMER[1];
    ticks += last - now;
    last = now;
    return (uint32_t)(ticks * 5 / 8);
}

void metal_main(void) {
    TIMER[2] = TIMER[1] = UINT32_MAX;
    TIMER[0] = 1;
    measure_begin();
    measure_end();
    overhead = most;
    most = 0;
    measure_begin();
    known_loop();
    measure_end();
    put_hex("# loop ", most, 8);
    calls = most = 0;
    total = deepest = 0;

    int status = run();
    put_hex("# calls ", calls, 8);
    put_hex("# total ", total, 16);
    put_hex("# most ", most, 8);
    put_hex("# stack ", deepest, 8);
    leave((uint32_t)status);
}

#else

#include <stdio.h>

static void put_line(const char *line) { puts(line); }
uint32_t instructions(void) { return 0; }
void paint_stack(void) {}
size_t stack_used(void) { return 0; }
int main(void) { return run(); }

#endif

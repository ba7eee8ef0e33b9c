/* The impacts of a generated solver: those of its tests, then others that
   approach, up to IMPACTS. */
#include "case.h"
#include "metal.h"

#define IMPACTS 48

static void emit(const char *what, const real *values, int count) {
    emit_text(what);
    for (int i = 0; i < count; i++)
        emit_real(values[i]);
}

static void solve(const real *q, const real *v) {
    (void)q;
    result out;
    measure_begin();
    NAME(status_t) status = SOLVE(q, v, &out);
    measure_end();
    emit_text("status");
    emit_u64(status);
    if (status != CONSTANT(STATUS_SOLVED))
        return;
    emit("velocity", out.velocity, CONSTANT(DIMENSION));
    emit("impulse", out.impulse, CONSTANT(DIMENSION));
    emit_real(out.compression_impulse);
    emit_text("work");
    emit_real(out.normal_work);
    emit_real(out.friction_work);
    emit_text("course");
    emit_u64(out.mode);
    emit_u64(out.steps);
#ifdef ROBOT
    emit("qd", out.qd, MOVING);
#endif
#ifdef MODEL
    NAME(dynamics_t) dynamics;
    NAME(dynamics)(q, &dynamics);
    emit("inertia", dynamics.inertia, CONSTANT(DIMENSION) * CONSTANT(DIMENSION));
#endif
}

/* A number between -1 and 1, of eleven binary digits. */
static real any(void) {
    static uint32_t state = 1;
    state = state * UINT32_C(1664525) + UINT32_C(1013904223);
    return (real)((int32_t)(state >> 21) - 1024) / 1024;
}

static void solve_any(int k) {
    static const int unit[4] = {1, 2, 2, 4}; /* a quaternion of length 5 */
    real q[POSITIONS + 1] = {0}, v[MOVING];
    for (int i = 0; i < POSITIONS; i++)
        q[i] = any();
    for (int i = 0; i < 4 && MOVING > POSITIONS && POSITIONS > 0; i++)
        q[i] = (real)(q[i] < 0 ? -unit[(i + k) % 4] : unit[(i + k) % 4]) / 5;
    if (k + 1 == IMPACTS && POSITIONS > 0)
        q[POSITIONS ? POSITIONS - 1 : 0] *= 1 << 30; /* a joint that has turned often */
    for (int i = 0; i < MOVING; i++)
        v[i] = any();
    result out;
    if (SOLVE(q, v, &out) == CONSTANT(STATUS_NOT_APPROACHING))
        for (int i = 0; i < MOVING; i++)
            v[i] = -v[i];
    solve(q, v);
}

int run(void) {
    int tested = (int)(sizeof INPUTS / sizeof INPUTS[0]);
    for (int k = 0; k < tested; k++)
        solve(INPUTS[k].q, INPUTS[k].v);
    for (int k = tested; k < IMPACTS; k++)
        solve_any(k);
    return 0;
}

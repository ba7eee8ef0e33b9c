/*
 * Two loops of a kilohertz, of a planar arm and of a falling leg, that foresee
 * impacts: the same as src/ in Rust, and to the last bit. What is modelled and what
 * is not, src/arm.rs and src/leg.rs say.
 *
 * In this folder, with `routh` as `cargo build --release` makes it:
 *
 *     routh generate ../planar_arm.toml -o . --lang c
 *     routh generate ../leg.toml -o . --lang c
 *     cc -std=c99 -O2 -ffp-contract=off controller.c planar_arm.c leg.c -lm -o controller
 *     ./controller
 *
 * With --bits it prints bit patterns, as the Rust program does.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "leg.h"
#include "planar_arm.h"

/* The period of the loops, in s. */
#define STEP 0.001
/* Milliseconds to run for, and to look ahead. */
#define TICKS 2000
#define HORIZON 40

/* What the loops say of an impact. */

/* The modes' names, in the solvers' order. */
static const char *const MODES[] = {
    "permanent_sliding", "sticking_in_compression", "reverse_in_compression",
    "sticking_in_restitution", "reverse_in_restitution", "sticking", "slip_from_rest",
};

/* An impact that happened. Pairs are before and after it. */
typedef struct bounce {
    const char *robot;
    int tick;
    const char *mode;
    int positions, velocities, dimension;
    const double *q, *qd[2], *velocity[2], *impulse;
    double work[2];
    /* Milliseconds before it was first foreseen under the command it came with, or -1. */
    int lead;
    /* The normal impulse foreseen, and whether all came so to the last bit. */
    double normal;
    bool exact;
    /* What the controller did, or NULL; what was foreseen before that, and what came. */
    const char *reaction;
    double averted[2];
} bounce_t;

/* A robot's impacts, counted. */
typedef struct totals {
    int impacts, exact, averted;
    double lost;
} totals_t;

static bool bits;

static void numbers(const double *x, int n)
{
    for (int i = 0; i < n; i++) printf(" %7.3f", x[i]);
}

static uint64_t pattern(double x)
{
    uint64_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

static void patterns(const char *name, const double *x, int n)
{
    printf(" %s", name);
    for (int i = 0; i < n; i++) printf(" %016" PRIx64, pattern(x[i]));
}

static void print(const bounce_t *b)
{
    printf("%5d ms  %s  %-23s  impulse", b->tick, b->robot, b->mode);
    numbers(b->impulse, b->dimension);
    printf("  velocity");
    numbers(b->velocity[0], b->dimension);
    printf(" >");
    numbers(b->velocity[1], b->dimension);
    if (b->lead < 0) printf("  not foreseen");
    else if (b->exact) printf("  foreseen %d ms before, exactly", b->lead);
    else printf("  foreseen %d ms before, with %.3f", b->lead, b->normal);
    if (b->reaction)
        printf("; at first %.3f %s: %.3f", b->averted[0], b->reaction, b->averted[1]);
    printf("\n");
}

static void print_bits(const bounce_t *b)
{
    printf("%s %d %s", b->robot, b->tick, b->mode);
    patterns("q", b->q, b->positions);
    patterns("qd", b->qd[0], b->velocities);
    patterns("to", b->qd[1], b->velocities);
    patterns("velocity", b->velocity[0], b->dimension);
    patterns("to", b->velocity[1], b->dimension);
    patterns("impulse", b->impulse, b->dimension);
    patterns("work", b->work, 2);
    printf(" foreseen %d %016" PRIx64 " exact %d\n", b->lead < 0 ? 0 : b->lead,
           pattern(b->normal), b->exact);
}

static void report(totals_t *totals, const bounce_t *b)
{
    totals->impacts += 1;
    totals->exact += b->exact;
    totals->averted += b->reaction != NULL;
    totals->lost -= b->work[0] + b->work[1];
    if (bits) print_bits(b);
    else print(b);
}

static void summarise(const totals_t *totals, const char *robot, int ticks)
{
    printf("%s: %d impacts in %d ms took %.3f J; "
           "%d came exactly as foreseen, %d after a change of command\n",
           robot, totals->impacts, ticks, totals->lost, totals->exact, totals->averted);
}

static bool same(const double *x, const double *y, int n)
{
    for (int i = 0; i < n; i++)
        if (x[i] != y[i]) return false;
    return true;
}

/* The arm. */

/* How fast the drives take up a commanded velocity, in 1/s. */
#define ARM_DRIVE 100.0
/* The normal impulse that the tip is to bear at most, in N s, and the part to aim at. */
#define ARM_LIMIT 1.0
#define AIM 0.9
/* The height from which to tap, in m, and the speed of return, in m/s. */
#define CLEARANCE 0.04
#define RETURN 0.5
/* Velocities to tap with, in m/s, normal first. */
#define TAPS 6
static const double TAP[TAPS][2] = {
    {-0.3, 0.0}, {-0.4, 0.1}, {-0.5, -0.4}, {-0.9, 0.3}, {-0.8, -0.9}, {-1.2, 0.0},
};
/* When somebody knocks at the arm, and what that does to the joints' velocities. */
#define KNOCK 325
static const double KNOCKED[2] = {0.0, 0.5};

typedef struct arm {
    double q[2], qd[2];
} arm_t;

typedef struct arm_touch {
    double q[2], qd[2], velocity[2];
    planar_arm_impact_t impact;
} arm_touch_t;

/* What came of a step. */
typedef enum step { FREE, TOUCHED, FAILED } step_t;

static void arm_advance(arm_t *arm, double time)
{
    for (int i = 0; i < 2; i++) arm->q[i] += time * arm->qd[i];
}

/* The velocity of the tip, normal first. */
static void arm_velocity(const arm_t *arm, const planar_arm_dynamics_t *at, double velocity[2])
{
    for (int i = 0; i < 2; i++)
        velocity[i] = at->jacobian[i][0] * arm->qd[0] + at->jacobian[i][1] * arm->qd[1];
}

/* One millisecond with a commanded velocity of the tip, normal first. */
static step_t arm_step(arm_t *arm, const double command[2], arm_touch_t *touch)
{
    planar_arm_dynamics_t at;
    planar_arm_dynamics(arm->q, &at);
    double a = at.jacobian[0][0], b = at.jacobian[0][1];
    double c = at.jacobian[1][0], d = at.jacobian[1][1];
    double determinant = a * d - b * c;
    double wanted[2] = {
        (d * command[0] - b * command[1]) / determinant,
        (a * command[1] - c * command[0]) / determinant,
    };
    for (int i = 0; i < 2; i++) arm->qd[i] += STEP * ARM_DRIVE * (wanted[i] - arm->qd[i]);
    double velocity[2];
    arm_velocity(arm, &at, velocity);
    double height = at.point[2], falling = -velocity[0];
    if (height > STEP * falling) {
        arm_advance(arm, STEP);
        return FREE;
    }
    double before = height / falling;
    arm_advance(arm, before);
    memcpy(touch->q, arm->q, sizeof arm->q);
    memcpy(touch->qd, arm->qd, sizeof arm->qd);
    planar_arm_dynamics(arm->q, &at);
    arm_velocity(arm, &at, touch->velocity);
    if (planar_arm_impact(arm->q, arm->qd, &touch->impact) != PLANAR_ARM_STATUS_SOLVED)
        return FAILED;
    memcpy(arm->qd, touch->impact.qd, sizeof arm->qd);
    arm_advance(arm, STEP - before);
    return TOUCHED;
}

/* The next touch, if one comes within the horizon while the command stands. */
static step_t arm_foresee(const arm_t *arm, const double command[2], arm_touch_t *touch)
{
    arm_t ahead = *arm;
    step_t came = FREE;
    for (int i = 0; i < HORIZON && came == FREE; i++) came = arm_step(&ahead, command, touch);
    return came;
}

static bool arm_same(const planar_arm_impact_t *x, const planar_arm_impact_t *y)
{
    return same(x->velocity, y->velocity, 2) && same(x->impulse, y->impulse, 2)
        && same(x->qd, y->qd, 2) && x->normal_work == y->normal_work
        && x->friction_work == y->friction_work && x->mode == y->mode;
}

/* Taps the ground; returns the milliseconds it took, or -1 where an impact has no result. */
static int arm_run(totals_t *totals)
{
    arm_t arm = {{0.45, 0.6}, {0.0, 0.0}};
    int tap = 0, since = -1;
    double command[2] = {TAP[0][0], TAP[0][1]}, averted = 0.0;
    arm_touch_t next, foreseen = {0};
    for (int tick = 0; tick < TICKS; tick++) {
        planar_arm_dynamics_t at;
        planar_arm_dynamics(arm.q, &at);
        if (command[0] > 0.0 && at.point[2] > CLEARANCE) {
            tap = (tap + 1) % TAPS;
            memcpy(command, TAP[tap], sizeof command);
        }
        if (tick == KNOCK)
            for (int i = 0; i < 2; i++) arm.qd[i] = arm.qd[i] + KNOCKED[i];
        step_t came = arm_foresee(&arm, command, &next);
        if (came == TOUCHED && next.impact.impulse[0] > ARM_LIMIT) {
            double slower = AIM * ARM_LIMIT / next.impact.impulse[0];
            for (int i = 0; i < 2; i++) command[i] = slower * command[i];
            if (averted == 0.0) averted = next.impact.impulse[0];
            since = -1;
            came = arm_foresee(&arm, command, &next);
        }
        if (came == FAILED) return -1;
        if (came == TOUCHED && since < 0) {
            since = tick;
            foreseen = next;
        }
        arm_touch_t touch;
        came = arm_step(&arm, command, &touch);
        if (came == FAILED) return -1;
        if (came == FREE) continue;
        const planar_arm_impact_t *impact = &touch.impact;
        bounce_t bounce = {
            "arm", tick, MODES[impact->mode], 2, 2, 2,
            touch.q, {touch.qd, impact->qd}, {touch.velocity, impact->velocity}, impact->impulse,
            {impact->normal_work, impact->friction_work},
            since < 0 ? -1 : tick - since, since < 0 ? 0.0 : foreseen.impact.impulse[0],
            since >= 0 && arm_same(&foreseen.impact, impact),
            averted > 0.0 ? "N s, slowed down" : NULL, {averted, impact->impulse[0]},
        };
        report(totals, &bounce);
        command[0] = RETURN;
        command[1] = -command[1];
        averted = 0.0;
        since = -1;
    }
    return TICKS;
}

/* The leg. */

/* Weight by mass, in m/s^2. */
#define GRAVITY 9.81
/* Stiffness and damping of gimbal and joints by inertia, in 1/s^2 and 1/s. */
#define STIFFNESS 900.0
#define DAMPING 60.0
/* How fast the foot takes up the ground's velocity, in 1/s. */
#define LEG_DRIVE 150.0
/* What friction at the foot may use up in an impact, in J. */
#define LEG_LIMIT 0.02
/* The slowest rebound to go on from, in m/s. */
#define REST 0.1
/* Where gimbal and drives bring base and joints: upright on the foot. */
static const double POSE[7] = {0.904, 0.214, 0.369, -0.031, -0.548, -0.07, -0.392};

typedef struct leg {
    double height, q[7], qd[9];
} leg_t;

/* What the drives do: bring the joints back, or let the foot follow the ground. */
typedef enum command { BACK, FOLLOW } command_t;

typedef struct leg_touch {
    double q[7], qd[9], velocity[3];
    leg_impact_t impact;
} leg_touch_t;

/* The world's vertical in base axes. */
static void leg_up(const leg_t *leg, double up[3])
{
    double x = leg->q[0], y = leg->q[1], z = leg->q[2], w = leg->q[3];
    up[0] = 2.0 * (x * z - w * y);
    up[1] = 2.0 * (y * z + w * x);
    up[2] = 1.0 - 2.0 * (x * x + y * y);
}

/* The small rotation from the pose, in base axes. */
static void leg_turn(const leg_t *leg, double turn[3])
{
    double x = leg->q[0], y = leg->q[1], z = leg->q[2], w = leg->q[3];
    double a = POSE[0], b = POSE[1], c = POSE[2], d = POSE[3];
    turn[0] = 2.0 * (d * x - w * a - (b * z - c * y));
    turn[1] = 2.0 * (d * y - w * b - (c * x - a * z));
    turn[2] = 2.0 * (d * z - w * c - (a * y - b * x));
}

/* The velocity of the foot, normal first. */
static void leg_velocity(const leg_t *leg, const leg_dynamics_t *at, double velocity[3])
{
    for (int i = 0; i < 3; i++) {
        velocity[i] = 0.0;
        for (int j = 0; j < 9; j++) velocity[i] = velocity[i] + at->jacobian[i][j] * leg->qd[j];
    }
}

/* Velocities after a millisecond without contact. */
static void leg_accelerate(leg_t *leg, const leg_dynamics_t *at, command_t command)
{
    double velocity[3], up[3], turn[3];
    leg_velocity(leg, at, velocity);
    leg_up(leg, up);
    leg_turn(leg, turn);
    double *v = leg->qd, *w = leg->qd + 3, *joints = leg->qd + 6;
    double vx = v[0], vy = v[1], vz = v[2], wx = w[0], wy = w[1], wz = w[2];
    v[0] = vx + STEP * (wz * vy - wy * vz - GRAVITY * up[0]);
    v[1] = vy + STEP * (wx * vz - wz * vx - GRAVITY * up[1]);
    v[2] = vz + STEP * (wy * vx - wx * vy - GRAVITY * up[2]);
    for (int i = 0; i < 3; i++)
        w[i] = w[i] - STEP * (STIFFNESS * turn[i] + DAMPING * w[i]);
    if (command == BACK) {
        for (int i = 0; i < 3; i++) {
            double off = leg->q[4 + i] - POSE[4 + i];
            joints[i] -= STEP * (STIFFNESS * off + DAMPING * joints[i]);
        }
    } else {
        const double *slip = velocity + 1;
        double a = at->jacobian[1][7], b = at->jacobian[1][8];
        double c = at->jacobian[2][7], d = at->jacobian[2][8];
        double determinant = a * d - b * c;
        joints[1] -= STEP * LEG_DRIVE * ((d * slip[0] - b * slip[1]) / determinant);
        joints[2] -= STEP * LEG_DRIVE * ((a * slip[1] - c * slip[0]) / determinant);
    }
}

static void leg_advance(leg_t *leg, double time)
{
    double up[3], *q = leg->q;
    leg_up(leg, up);
    double vx = leg->qd[0], vy = leg->qd[1], vz = leg->qd[2];
    double wx = leg->qd[3], wy = leg->qd[4], wz = leg->qd[5];
    leg->height += time * (up[0] * vx + up[1] * vy + up[2] * vz);
    double x = q[0], y = q[1], z = q[2], w = q[3];
    double half = 0.5 * time;
    q[0] = x + half * (w * wx + y * wz - z * wy);
    q[1] = y + half * (w * wy + z * wx - x * wz);
    q[2] = z + half * (w * wz + x * wy - y * wx);
    q[3] = w - half * (x * wx + y * wy + z * wz);
    /* One step of Newton's for the inverse square root, which is near 1. */
    double unit = 1.5 - 0.5 * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++) q[i] *= unit;
    for (int i = 0; i < 3; i++) q[4 + i] += time * leg->qd[6 + i];
}

/* One millisecond. */
static step_t leg_step(leg_t *leg, command_t command, leg_touch_t *touch)
{
    leg_dynamics_t at;
    leg_dynamics(leg->q, &at);
    leg_accelerate(leg, &at, command);
    double velocity[3];
    leg_velocity(leg, &at, velocity);
    double height = leg->height + at.point[2], falling = -velocity[0];
    if (height > STEP * falling) {
        leg_advance(leg, STEP);
        return FREE;
    }
    double before = height / falling;
    leg_advance(leg, before);
    memcpy(touch->q, leg->q, sizeof leg->q);
    memcpy(touch->qd, leg->qd, sizeof leg->qd);
    leg_dynamics(leg->q, &at);
    leg_velocity(leg, &at, touch->velocity);
    if (leg_impact(leg->q, leg->qd, &touch->impact) != LEG_STATUS_SOLVED) return FAILED;
    memcpy(leg->qd, touch->impact.qd, sizeof leg->qd);
    leg_advance(leg, STEP - before);
    return TOUCHED;
}

/* The next touch, if one comes within the horizon while the command stands. */
static step_t leg_foresee(const leg_t *leg, command_t command, leg_touch_t *touch)
{
    leg_t ahead = *leg;
    step_t came = FREE;
    for (int i = 0; i < HORIZON && came == FREE; i++) came = leg_step(&ahead, command, touch);
    return came;
}

static bool leg_same(const leg_impact_t *x, const leg_impact_t *y)
{
    return same(x->velocity, y->velocity, 3) && same(x->impulse, y->impulse, 3)
        && same(x->qd, y->qd, 9) && x->normal_work == y->normal_work
        && x->friction_work == y->friction_work && x->mode == y->mode;
}

/* Drops the leg; returns the milliseconds it took, or -1 where an impact has no result. */
static int leg_run(totals_t *totals)
{
    leg_t leg = {1.5, {0}, {0.0, 1.0}};
    memcpy(leg.q, POSE, sizeof leg.q);
    command_t command = BACK;
    int since = -1;
    double averted = 0.0;
    leg_touch_t next, foreseen = {0};
    for (int tick = 0; tick < TICKS; tick++) {
        step_t came = leg_foresee(&leg, command, &next);
        if (came == TOUCHED && command == BACK && next.impact.friction_work < -LEG_LIMIT) {
            leg_touch_t swung;
            step_t then = leg_foresee(&leg, FOLLOW, &swung);
            if (then == FAILED) return -1;
            if (then == TOUCHED && swung.impact.friction_work > next.impact.friction_work) {
                command = FOLLOW;
                averted = -next.impact.friction_work;
                since = -1;
                next = swung;
            }
        }
        if (came == FAILED) return -1;
        if (came == TOUCHED && since < 0) {
            since = tick;
            foreseen = next;
        }
        leg_touch_t touch;
        came = leg_step(&leg, command, &touch);
        if (came == FAILED) return -1;
        if (came == FREE) continue;
        const leg_impact_t *impact = &touch.impact;
        bounce_t bounce = {
            "leg", tick, MODES[impact->mode], 7, 9, 3,
            touch.q, {touch.qd, impact->qd}, {touch.velocity, impact->velocity}, impact->impulse,
            {impact->normal_work, impact->friction_work},
            since < 0 ? -1 : tick - since, since < 0 ? 0.0 : foreseen.impact.impulse[0],
            since >= 0 && leg_same(&foreseen.impact, impact),
            averted > 0.0 ? "J of friction, foot swung" : NULL,
            {averted, -impact->friction_work},
        };
        report(totals, &bounce);
        if (impact->velocity[0] < REST) return tick + 1;
        command = BACK;
        averted = 0.0;
        since = -1;
    }
    return TICKS;
}

int main(int count, char **arguments)
{
    bits = count == 2 && strcmp(arguments[1], "--bits") == 0;
    if (count > 1 && !bits) {
        fprintf(stderr, "usage: controller [--bits]\n");
        return 2;
    }
    clock_t start = clock();
    totals_t arm = {0, 0, 0, 0.0}, leg = {0, 0, 0, 0.0};
    if (!bits) printf("impulses in N s and velocities in m/s, normal first\n");
    int arm_ticks = arm_run(&arm);
    int leg_ticks = arm_ticks < 0 ? -1 : leg_run(&leg);
    if (leg_ticks < 0) {
        fprintf(stderr, "an impact cannot be solved\n");
        return 1;
    }
    if (!bits) {
        printf("\n");
        summarise(&arm, "arm", arm_ticks);
        summarise(&leg, "leg", leg_ticks);
    }
    double mean = (double)(clock() - start) * 1e6 / CLOCKS_PER_SEC / (arm_ticks + leg_ticks);
    fprintf(stderr, "%.1f us a millisecond on average, looking ahead and printing included\n", mean);
    return 0;
}

//! Structures, enumerations, and references to them.

/// How a contact moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mode {
    /// It does not.
    Sticking,
    /// It slides on.
    PermanentSliding = 4,
    Reverse,
}

enum Law {
    Newton,
    Poisson,
}

/// What comes out.
///
/// More of it.
#[derive(Clone, Copy)]
pub struct Impact {
    /// Velocity after it.
    pub velocity: [Real; 3],
    pub body: Body,
    pub mode: Mode,
    pub steps: usize,
    pub class: bool,
}

/// A body.
#[derive(Clone, Copy)]
pub struct Body {
    pub mass: Real,
    pub inertia: [[Real; 2]; 2],
}

#[derive(Clone, Copy)]
struct Pair {
    x: Real,
    y: Real,
}

const UNIT: Pair = Pair { x: 1.0, y: -1.0 };

fn law_of(x: Real) -> Law {
    if x > 0.0 { Law::Newton } else { Law::Poisson }
}

fn mode_of(x: Real) -> Mode {
    match law_of(x) {
        Law::Newton => {
            if x > 2.0 {
                return Mode::PermanentSliding;
            }
            Mode::Reverse
        }
        Law::Poisson => Mode::Sticking,
    }
}

fn swapped(p: Pair) -> Pair {
    Pair { x: p.y, y: p.x }
}

fn trace(m: &[[Real; 2]; 2]) -> Real {
    m[0][0] + m[1][1]
}

fn norm(body: &Body) -> Real {
    trace(&body.inertia) * body.mass
}

fn shift(pair: &mut Pair, by: &Pair) {
    pair.x += by.x;
    *pair = Pair { x: pair.y, y: pair.x };
    let copy = *pair;
    pair.y = copy.x - copy.y;
}

fn shift_twice(pair: &mut Pair) {
    shift(pair, &UNIT);
    shift(&mut *pair, &Pair { x: 0.5, y: 0.25 });
}

fn impact(velocity: &[Real; 3], mass: Real) -> Impact {
    let mode = mode_of(velocity[0]);
    Impact {
        velocity: *velocity,
        body: Body { mass, inertia: [[mass, 1.0], [0.0, mass * 2.0]] },
        mode,
        steps: 3,
        class: mode == Mode::Reverse,
    }
}

fn settle(impact: &mut Impact) {
    let bodies = [impact.body; 2];
    impact.velocity = [impact.velocity[1], impact.velocity[0], bodies[1].mass];
    let more = match impact.mode {
        Mode::Sticking => 1,
        Mode::PermanentSliding | Mode::Reverse => 2,
    };
    impact.steps += more;
    *impact = Impact {
        velocity: impact.velocity,
        body: impact.body,
        mode: impact.mode,
        steps: impact.steps * 2,
        class: !impact.class,
    };
}

pub fn run(input: &[Real; 8], output: &mut [Real; 8]) {
    let mut result = impact(&[input[0], input[1], input[2]], input[3]);
    let before = result;
    settle(&mut result);
    let mut pair = Pair { x: input[4], y: input[5] };
    shift_twice(&mut pair);
    let turned = swapped(swapped(pair));
    let number = result.mode as usize + before.mode as usize;
    *output = [
        result.velocity[0],
        result.velocity[2],
        norm(&result.body),
        turned.x,
        pair.y,
        (result.steps + number) as Real,
        result.class as usize as Real,
        swapped(pair).x,
    ];
}

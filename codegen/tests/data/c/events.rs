//! A search that keeps a record of itself, as solvers do.

const MOST_EVENTS: usize = 6;
const NONE: Event = Event { kind: Kind::None, impulse: 0.0 };
const FIRST: Kind = Kind::Stick;
const ONES: [Real; 40] = [1.0; 40];

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    None,
    Stick,
    Slip,
}

#[derive(Clone, Copy)]
struct Event {
    kind: Kind,
    impulse: Real,
}

#[derive(Clone, Copy)]
struct State {
    velocity: [Real; 3],
    matrix: [[Real; 3]; 3],
    events: [Event; MOST_EVENTS],
    count: usize,
    done: bool,
}

fn push(state: &mut State, event: Event) {
    if state.count < MOST_EVENTS {
        state.events[state.count] = event;
        state.count += 1;
    }
}

fn scale(event: &mut Event, by: Real) {
    event.impulse *= by;
    if event.kind == FIRST && !(event.impulse > 0.0) {
        event.kind = Kind::Slip;
    }
}

fn times(m: &[[Real; 3]; 3], v: &mut [Real; 3]) {
    let old = *v;
    for i in 0..3 {
        v[i] = (*m)[i][0] * old[0] + m[i][1] * old[1] + m[i][2] * old[2];
    }
}

fn advance(count: &mut usize, x: &mut Real, done: &mut bool) -> bool {
    *count += 1;
    *x = -*x * 0.5;
    *done = !*done && *x < 1.0;
    *done
}

fn fastest(state: &State) -> Event {
    let mut best = NONE;
    for i in 0..state.count {
        let event = state.events[i];
        best = if event.impulse > best.impulse { event } else { best };
    }
    best
}

fn start(x: Real, y: Real) -> State {
    let event = if x > y {
        Event { kind: Kind::Slip, impulse: x }
    } else {
        let impulse = y - x;
        Event { kind: Kind::Stick, impulse }
    };
    let mut state = State {
        velocity: [x, y, 0.5],
        matrix: [[0.0; 3]; 3],
        events: [NONE; MOST_EVENTS],
        count: 0,
        done: false,
    };
    push(&mut state, event);
    let next = match event.kind {
        Kind::None => return state,
        Kind::Stick => Event { kind: Kind::Slip, impulse: 2.0 },
        Kind::Slip => {
            let half = 0.5 * event.impulse;
            Event { kind: Kind::Stick, impulse: half }
        }
    };
    push(&mut state, next);
    State {
        velocity: state.velocity,
        matrix: [[x, 1.0, 0.0], state.velocity, [y; 3]],
        events: state.events,
        count: state.count,
        done: x > 0.0,
    }
}

fn works(state: &State, work: &mut [Real; 2]) -> Real {
    let mut copy = *state;
    times(&state.matrix, &mut copy.velocity);
    let [a, b, c] = copy.velocity;
    *work = if a > b { [a, b] } else { [b, c] };
    work[0] + work[1] * ONES[copy.count]
}

pub fn run(input: &[Real; 8], output: &mut [Real; 8]) {
    let mut state = start(input[0], input[1]);
    let mut rounds = 0;
    while rounds < 9 && !state.done {
        scale(&mut state.events[rounds % 2], input[2 + rounds % 3]);
        if advance(&mut rounds, &mut state.velocity[1], &mut state.done) {
            push(&mut state, Event { kind: FIRST, impulse: input[5] });
        }
    }
    let mut work = [0.0; 2];
    let total = works(&state, &mut work);
    let best = fastest(&state);
    let kind = match best.kind {
        Kind::None => 0.0,
        Kind::Stick => 1.0,
        _ => 2.0,
    };
    *output = [total, work[0], work[1], best.impulse, kind, state.count as Real, rounds as Real, state.velocity[1]];
}

/// What a search yields that finds nothing.
const NEVER: Real = -1.0;

/// A polynomial's value, slope and half its curvature.
#[derive(Clone, Copy)]
struct Expansion {
    value: Real,
    slope: Real,
    bend: Real,
}

/// The expansion of a polynomial at a place.
fn expansion(p: &[Real; ROWS], t: Real) -> Expansion {
    let mut value = 0.0;
    let mut slope = 0.0;
    let mut bend = 0.0;
    for k in (0..ROWS).rev() {
        bend = bend * t + slope;
        slope = slope * t + value;
        value = value * t + p[k];
    }
    Expansion { value, slope, bend }
}

/// A polynomial on a part of its range, which becomes `0..1`.
fn localise(p: &[Real; ROWS], from: Real, width: Real, local: &mut [Real; ROWS]) {
    for k in 0..ROWS {
        local[k] = p[k];
    }
    if from != 0.0 {
        for k in 0..ORDER {
            for j in (k..ORDER).rev() {
                local[j] += from * local[j + 1];
            }
        }
    }
    let mut power = 1.0;
    for k in 0..ROWS {
        local[k] *= power;
        power *= width;
    }
}

/// The root of a polynomial between a place where it is at or below zero and
/// one where it is at or above, by Halley's method, kept inside by bisection.
fn polish(p: &[Real; ROWS], below: Real, above: Real, guess: Real) -> Real {
    let mut lo = below;
    let mut hi = above;
    let mut t = guess;
    for _ in 0..HALVINGS {
        let at = expansion(p, t);
        if at.value == 0.0 {
            return t;
        }
        if at.value < 0.0 {
            lo = t;
        } else {
            hi = t;
        }
        let halley = t - at.value * at.slope / (at.slope * at.slope - at.value * at.bend);
        // Near a turning point Halley's step is short though the root is far: at
        // least a quarter of Newton's is asked for.
        let near = absolute(halley - t) * at.slope >= 0.25 * absolute(at.value);
        let inside = at.slope > 0.0 && near && halley > lo && halley < hi;
        let next = if inside { halley } else { 0.5 * (lo + hi) };
        let change = absolute(next - t);
        // The next step of Halley's method would change the cube of this.
        let converged = inside && change <= 1e-6 * absolute(t);
        if converged || change <= EPSILON * absolute(t) {
            return next;
        }
        t = next;
    }
    t
}

/// Halvings that take any part of `0..1` to its last bit.
const HALVINGS: usize = 1100;

/// Where in a range a polynomial that only rises there has risen by so much.
/// Nothing is lost where that is little.
fn rise(p: &[Real; ROWS], more: Real, from: Real, to: Real) -> Real {
    if more <= 0.0 {
        return from;
    }
    let width = to - from;
    let mut local = [0.0; ROWS];
    localise(p, from, width, &mut local);
    local[0] = -more;
    let end = expansion(&local, 1.0);
    if !(end.value >= 0.0) {
        return NEVER;
    }
    // The parabola through the start, with the end's value and slope.
    let total = end.value + more;
    let linear = larger(2.0 * total - end.slope, 0.0);
    let root = sqrt(larger(linear * linear + 4.0 * (total - linear) * more, 0.0));
    let guess = smaller(2.0 * more / (linear + root), 1.0);
    from + width * polish(&local, 0.0, 1.0, guess)
}

/// The first place in a range at which a polynomial crosses a level the given
/// way; `at_level` says that it starts there. None is missed, because Bernstein
/// coefficients bound a polynomial and their sign changes its roots (Descartes).
fn first_crossing(
    p: &[Real; ROWS],
    level: Real,
    from: Real,
    to: Real,
    upward: bool,
    at_level: bool,
) -> Real {
    let width = to - from;
    if !(width > 0.0) {
        return NEVER;
    }
    let mut local = [0.0; ROWS];
    localise(p, from, width, &mut local);
    local[0] -= level;
    if !upward {
        for k in 0..ROWS {
            local[k] = -local[k];
        }
    }
    // From here on the crossing is upward and the range `0..1`.
    if at_level || (local[0] >= 0.0 && local[0] <= DISPLACED) {
        for k in 0..ORDER {
            local[k] = local[k + 1];
        }
        local[ORDER] = 0.0;
    }
    if local[0] >= 0.0 {
        return from;
    }
    let root = search(&local);
    if root == NEVER { NEVER } else { from + width * root }
}

/// Parts of the range that a search looks at: forty halvings for each of the
/// places where two roots may meet, and some.
const PARTS: usize = 4096;

/// Parts that are not halved any more: two roots in one count as one.
const NARROWEST: Real = 9e-13;

/// The first upward crossing of zero in `0..1`.
fn search(p: &[Real; ROWS]) -> Real {
    let mut lo = 0.0;
    let mut part = 1.0;
    let mut bernstein = [0.0; ROWS];
    for _ in 0..PARTS {
        if lo >= 1.0 {
            return NEVER;
        }
        let hi = lo + part;
        let changes = bernstein_changes(p, lo, part, &mut bernstein);
        let first = bernstein[0];
        let last = bernstein[ORDER];
        let narrow = part <= NARROWEST;
        if changes == 1 && first <= 0.0 {
            return polish(p, lo, hi, nearer_end(p, lo, hi));
        }
        if first < 0.0 && (last == 0.0 || (narrow && last > 0.0)) && (changes == 0 || narrow) {
            return hi;
        }
        if changes <= 1 || narrow {
            lo = hi;
            part = smaller(2.0 * part, 1.0 - lo);
        } else {
            part *= 0.5;
        }
    }
    NEVER
}

/// The end of a range from which to look for the root in it. A root that
/// rounding makes at the end is no rise.
fn nearer_end(p: &[Real; ROWS], lo: Real, hi: Real) -> Real {
    let end = expansion(p, hi);
    let nearer = absolute(expansion(p, lo).value) < absolute(end.value);
    if nearer || end.slope <= 0.0 { lo } else { hi }
}

/// Bernstein coefficients on a part of the range, and how often they change
/// sign.
fn bernstein_changes(
    p: &[Real; ROWS],
    from: Real,
    width: Real,
    bernstein: &mut [Real; ROWS],
) -> usize {
    localise(p, from, width, bernstein);
    let mut binomial = 1.0;
    for j in 0..ROWS {
        bernstein[j] /= binomial;
        binomial *= (ORDER - j) as Real / (j + 1) as Real;
    }
    for k in 1..ROWS {
        for i in (k..ROWS).rev() {
            bernstein[i] += bernstein[i - 1];
        }
    }
    let mut changes = 0;
    let mut last = 0.0;
    for k in 0..ROWS {
        let x = bernstein[k];
        if (last < 0.0 && x > 0.0) || (last > 0.0 && x < 0.0) {
            changes += 1;
        }
        if x != 0.0 {
            last = x;
        }
    }
    changes
}

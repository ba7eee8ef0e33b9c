/// Unknowns of a slip, in the order in which they are expanded.
const IMPULSE: usize = 2;
const NORMAL: usize = 5;
const NORMAL_WORK: usize = 6;

/// A direction that attracts contracts its neighbours by `exp(-x)` in a step; a
/// polynomial of order `CONTRACTION x` does too, and does not throw them off.
const CONTRACTION: Real = 4.0;

/// The longest step, in units of the flow's own time: beyond it only
/// polynomials would stay exact.
const LONGEST: Real = 50.0;

/// A slip that is followed step by step.
#[derive(Clone, Copy)]
struct Slip {
    state: [Real; COLUMNS],
    speed: Real,
    flow: Turning,
    fastest: Real,
}

/// What a slip has come to: it goes on, its direction no longer changes, or its
/// speed has vanished.
#[derive(Clone, Copy, PartialEq)]
enum Settled {
    Not,
    OnLine,
    Halted,
}

/// The unknowns by their names.
fn moment(state: &[Real; COLUMNS]) -> Moment {
    Moment {
        tangential: [state[0], state[1]],
        impulse: state[IMPULSE],
        tangential_impulse: [state[3], state[4]],
        normal: state[NORMAL],
        normal_work: state[NORMAL_WORK],
        friction_work: state[7],
        #[cfg(derivatives)]
        variation: variation(state),
    }
}

/// Moves a slip to another state.
fn arrive(contact: &Contact, slip: &mut Slip, state: &[Real; COLUMNS]) {
    slip.state = *state;
    slip.speed = length(state[0], state[1]);
    slip.flow = turning(contact, state[0] / slip.speed, state[1] / slip.speed);
    slip.fastest = larger(slip.fastest, slip.speed);
}

/// How large coefficients are, as far as a step must be accurate. Works are
/// products of exponentials where speeds are exponentials, so their series
/// converge more slowly.
fn size(contact: &Contact, row: &[Real; COLUMNS]) -> Real {
    let work = larger(absolute(row[NORMAL_WORK]), absolute(row[7]));
    larger(larger(absolute(row[0]), absolute(row[1])), work * contact.rate)
}

/// The length of a step by the last two orders of its series: as much of the
/// radius of convergence as the tolerance leaves (`reach`, the logarithm to base
/// two of its root of this order), but no longer than is safe
/// whatever the coefficients. Where the speed falls, so does what the error is
/// compared with at the step's end.
fn step_width(
    contact: &Contact,
    slip: &Slip,
    rows: &[[Real; COLUMNS]; ROWS],
    reach: Real,
) -> Real {
    let start = rough_log2(slip.speed);
    let last = 1.0 / ORDER as Real;
    let x = (rough_log2(size(contact, &rows[ORDER])) - start) * last;
    let y = (rough_log2(size(contact, &rows[ORDER - 1])) - start) / (ORDER - 1) as Real;
    let width = rough_exp2(reach - larger(x, y));
    let fall = larger(-slip.flow.along, 0.0) * last;
    let pull = larger(-slip.flow.slope, 0.0) * (CONTRACTION * last);
    let shortening = larger(contact.rate / LONGEST, pull);
    width / larger(1.0 + width * fall, width * shortening)
}

/// All unknowns inside a step. Even and odd powers are summed apart, so as not
/// to wait for each other.
fn values(rows: &[[Real; COLUMNS]; ROWS], t: Real, at: &mut [Real; COLUMNS]) {
    let square = t * t;
    let mut odd = [0.0; COLUMNS];
    for i in 0..COLUMNS {
        at[i] = rows[ORDER][i];
    }
    for half in (0..ORDER / 2).rev() {
        for i in 0..COLUMNS {
            odd[i] = odd[i] * square + rows[2 * half + 1][i];
            at[i] = at[i] * square + rows[2 * half][i];
        }
    }
    for i in 0..COLUMNS {
        at[i] += odd[i] * t;
    }
}

/// The series of one unknown.
fn series(rows: &[[Real; COLUMNS]; ROWS], unknown: usize, p: &mut [Real; ROWS]) {
    let column = if unknown < COLUMNS { unknown } else { 0 };
    for k in 0..ROWS {
        p[k] = rows[k][column];
    }
}

/// Whether the rest of a slip is a straight line, or over.
///
/// Near an invariant direction the velocity across it decays, at the rate that
/// `mu b` has across it, whether or not the direction attracts; once it is
/// negligible the motion is on the line, and a halt follows in closed form.
fn settle(contact: &Contact, slip: &Slip, at: &mut Moment, line: &mut Straight) -> Settled {
    let zero = NEGLIGIBLE * slip.fastest;
    if slip.speed <= zero || slip.speed <= VANISHING {
        *at = moment(&slip.state);
        return Settled::Halted;
    }
    let mut sigma = [slip.state[0] / slip.speed, slip.state[1] / slip.speed];
    let across = absolute(slip.flow.across);
    if across > NEGLIGIBLE * absolute(slip.flow.along) && across != 0.0 {
        let away = across / absolute(slip.flow.slope);
        let still = slip.speed * away <= zero || across <= contact.noise;
        if !(away <= NEAR) || !still || !approach_invariant(contact, &mut sigma) {
            return Settled::Not;
        }
    }
    *at = moment(&slip.state);
    at.tangential = [slip.speed * sigma[0], slip.speed * sigma[1]];
    *line = on_line(contact, &sigma, slip.speed);
    Settled::OnLine
}

// The impacts of a generated solver: those of its tests, then others that
// approach, up to IMPACTS.
use crate::metal;
use crate::solver::*;
include!("case.rs");

const IMPACTS: usize = 48;

fn emit(what: &core::ffi::CStr, values: &[Real]) {
    metal::emit_text(what);
    for &value in values {
        emit_real(value);
    }
}

fn solve_one(q: &[Real; PLACES], v: &[Real; MOVING]) {
    let found = metal::measure(|| solve(q, v));
    metal::emit_text(c"status");
    let out = match found {
        Ok(out) => out,
        Err(error) => return metal::emit_u64(error as u64 + 1),
    };
    metal::emit_u64(0);
    emit(c"velocity", &out.velocity);
    emit(c"impulse", &out.impulse);
    emit_real(out.compression_impulse);
    emit(c"work", &[out.normal_work, out.friction_work]);
    metal::emit_text(c"course");
    metal::emit_u64(out.mode as u64);
    metal::emit_u64(out.steps as u64);
    if !joints(&out).is_empty() {
        emit(c"qd", joints(&out));
    }
    emit_dynamics(q);
}

struct Random(u32);

impl Random {
    /// A number between -1 and 1, of eleven binary digits.
    fn any(&mut self) -> Real {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((self.0 >> 21) as i32 - 1024) as Real / 1024.0
    }

    fn solve_any(&mut self, k: usize) {
        let unit = [1.0, 2.0, 2.0, 4.0]; // a quaternion of length 5
        let mut q = [0.0; PLACES].map(|_: Real| self.any());
        if MOVING > PLACES && PLACES > 0 {
            for (i, q) in q.iter_mut().enumerate().take(4) {
                let part: Real = unit[(i + k) % 4] / 5.0;
                *q = if *q < 0.0 { -part } else { part };
            }
        }
        if k + 1 == IMPACTS
            && let Some(last) = q.last_mut()
        {
            *last *= (1 << 30) as Real; // a joint that has turned often
        }
        let mut v = [0.0; MOVING].map(|_: Real| self.any());
        if let Err(Error::NotApproaching) = solve(&q, &v) {
            v = v.map(|x| -x);
        }
        solve_one(&q, &v);
    }
}

pub fn run() -> i32 {
    for (q, v) in &INPUTS {
        solve_one(q, v);
    }
    let mut random = Random(1);
    for k in INPUTS.len()..IMPACTS {
        random.solve_any(k);
    }
    0
}

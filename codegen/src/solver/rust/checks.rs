//! The tests that come with a solver in Rust: values, modes, identities and
//! slopes, on impacts that the reference has solved.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::robot::{Body, Plan};
use crate::solver::code::{Argument, Code};
use crate::solver::robot::law;
use crate::solver::trial::samples::{Case, Samples};
use crate::{Precision, emit};

/// The largest error that a test takes, relative to scale.
pub(in crate::solver) fn allowance(plan: &Plan) -> f64 {
    match plan.precision {
        Precision::F64 => (100.0 * plan.tolerance).max(1e-11),
        Precision::F32 => (100.0 * plan.tolerance).max(2e-4),
    }
}

/// The largest error of a slope that a test takes, relative to its size and one.
pub(in crate::solver) fn slope_allowance(plan: &Plan) -> f64 {
    match plan.precision {
        Precision::F64 => 1e-7 + 100.0 * plan.tolerance,
        Precision::F32 => 1e-2 + 100.0 * plan.tolerance,
    }
}

/// The columns of a case's Jacobian, and which of them are known.
pub(in crate::solver) fn columns(case: &Case) -> (Vec<Vec<f64>>, Vec<bool>) {
    let slopes = &case.expected.slopes;
    let unknown = vec![0.0; case.velocity.len()];
    let columns = slopes.iter().map(|column| column.as_ref().unwrap_or(&unknown).clone());
    (columns.collect(), slopes.iter().map(Option::is_some).collect())
}

fn array(values: &[f64]) -> TokenStream {
    let values = values.iter().map(|&x| emit::float(x));
    quote!([#(#values),*])
}

/// The test module of a solver.
pub(super) fn tests(plan: &Plan, code: &Code, samples: &Samples) -> TokenStream {
    let cases = samples.cases.iter().map(|case| test_case(plan, code, case));
    let count = emit::index(samples.cases.len());
    let fields = code.arguments.iter().map(|Argument { name, kind, .. }| {
        let name = format_ident!("{name}");
        quote!(#name: #kind)
    });
    let given = code.arguments.iter().map(|a| format_ident!("{}", a.name));
    let given = quote!(#(&case.#given),*);
    let entries = emit::index(plan.dimension.size().pow(2));
    let (qd_field, qd_check) = match plan.body {
        Body::Inertia(_) => (quote!(), quote!()),
        _ => (
            quote!(qd_after: [Real; VELOCITIES],),
            quote!(close(&found.qd, &case.qd_after, scale(&case.qd, &case.qd_after));),
        ),
    };
    let allowed = emit::float(allowance(plan));
    let columns = emit::index(plan.dimension.size() + 2);
    let (slopes_fields, slopes) = match plan.derivatives {
        false => (quote!(), quote!()),
        true => {
            let allowed = emit::float(slope_allowance(plan));
            (
                quote! {
                    jacobian: [[Real; DIMENSION]; #columns],
                    known: [bool; #columns],
                },
                quote! {
                    #[test]
                    fn jacobian_is_the_references() {
                        let allowed: Real = #allowed;
                        each(|case, found| {
                            for j in (0..#columns).filter(|j| case.known[*j]) {
                                for i in 0..DIMENSION {
                                    let (wanted, slope) = (case.jacobian[j][i], found.jacobian[i][j]);
                                    let error = (slope - wanted).abs();
                                    let scale = 1.0 + wanted.abs();
                                    assert!(error <= allowed * scale, "{slope} is not {wanted}");
                                }
                            }
                        });
                    }
                },
            )
        }
    };
    let moving = match plan.body {
        Body::Inertia(_) => quote!(velocity),
        _ => quote!(qd),
    };
    quote! {
        #[cfg(test)]
        mod tests {
            use super::*;

            /// An impact, and what the reference says of it.
            #[derive(Clone, Copy)]
            struct Case {
                #(#fields,)*
                before: [Real; DIMENSION],
                contact_inertia: [Real; #entries],
                most_friction: Real,
                after: [Real; DIMENSION],
                impulse: [Real; DIMENSION],
                #qd_field
                compression_impulse: Real,
                normal_work: Real,
                friction_work: Real,
                mode: Mode,
                #slopes_fields
            }

            /// The largest error, relative to scale.
            const ALLOWED: Real = #allowed;

            const CASES: [Case; #count] = [#(#cases),*];

            fn scale(x: &[Real], y: &[Real]) -> Real {
                x.iter().chain(y).fold(0.0, |most, x| x.abs().max(most))
            }

            fn close(found: &[Real], wanted: &[Real], scale: Real) {
                for (found, wanted) in found.iter().zip(wanted) {
                    assert!((found - wanted).abs() <= ALLOWED * scale, "{found} is not {wanted}");
                }
            }

            fn each(check: impl Fn(&Case, &Impact)) {
                for case in &CASES {
                    check(case, &impact(#given).unwrap());
                }
            }

            fn works(case: &Case) -> Real {
                let product = scale(&case.before, &case.after) * scale(&case.impulse, &[]);
                scale(&[case.normal_work, case.friction_work], &[1e-3 * product])
            }

            #[test]
            fn values_are_the_references() {
                each(|case, found| {
                    close(&found.velocity, &case.after, scale(&case.before, &case.after));
                    let impulse = scale(&case.impulse, &[]);
                    close(&found.impulse, &case.impulse, impulse);
                    close(&[found.compression_impulse], &[case.compression_impulse], impulse);
                    close(&[found.normal_work], &[case.normal_work], works(case));
                    close(&[found.friction_work], &[case.friction_work], works(case));
                    #qd_check
                });
            }

            #[test]
            fn modes_are_the_references() {
                each(|case, found| assert_eq!(found.mode, case.mode));
            }

            #[test]
            fn velocity_changes_by_the_impulse() {
                each(|case, found| {
                    for i in 0..DIMENSION {
                        let row = &case.contact_inertia[DIMENSION * i..DIMENSION * (i + 1)];
                        let change: Real = row.iter().zip(&found.impulse).map(|(d, p)| d * p).sum();
                        let after = case.before[i] + change;
                        close(&[found.velocity[i]], &[after], scale(&case.before, &case.after));
                    }
                });
            }

            #[test]
            fn energy_changes_by_the_works() {
                each(|case, found| {
                    let mean = (0..DIMENSION).map(|i| 0.5 * (case.before[i] + found.velocity[i]));
                    let change: Real = mean.zip(&found.impulse).map(|(v, p)| v * p).sum();
                    close(&[found.normal_work + found.friction_work], &[change], works(case));
                });
            }

            #[test]
            fn friction_stays_in_its_cone() {
                each(|case, found| {
                    let parts = found.impulse[1..].iter().map(|p| p / found.impulse[0]);
                    let square: Real = parts.map(|part| part * part).sum();
                    assert!(square.sqrt() <= case.most_friction * (1.0 + ALLOWED) + ALLOWED);
                });
            }

            #slopes

            #[test]
            fn nonsense_is_refused() {
                for case in &CASES {
                    let moving = |x: Real| -> Result<Impact, Error> {
                        let mut case = *case;
                        case.#moving.fill(x);
                        impact(#given)
                    };
                    assert_eq!(moving(Real::NAN), Err(Error::NotFinite));
                    assert_eq!(moving(0.0), Err(Error::NotApproaching));
                }
            }
        }
    }
}

fn test_case(plan: &Plan, code: &Code, case: &Case) -> TokenStream {
    let fields = code.arguments.iter().map(|argument| {
        let name = format_ident!("{}", argument.name);
        let value = match argument.name {
            "q" => array(&case.q),
            "qd" => array(&case.qd),
            "velocity" => array(&case.velocity),
            "inertia" => array(&case.inertia),
            "friction" => {
                let [held, kinetic] = case.friction.map(emit::float);
                quote!(Friction { static_friction: #held, kinetic: #kinetic })
            }
            _ => {
                let law = law(case.law);
                let e = emit::float(case.e);
                quote!(Restitution { law: #law, e: #e })
            }
        };
        quote!(#name: #value)
    });
    let expected = &case.expected;
    let (before, inertia) = (array(&case.velocity), array(&case.inertia));
    let (after, impulse) = (array(&expected.velocity), array(&expected.impulse));
    let qd_after = match plan.body {
        Body::Inertia(_) => quote!(),
        _ => {
            let qd = array(&expected.qd);
            quote!(qd_after: #qd,)
        }
    };
    let [compression, normal, friction] =
        [expected.compression_impulse, expected.normal_work, expected.friction_work]
            .map(emit::float);
    let slopes = plan.derivatives.then(|| {
        let (columns, known) = columns(case);
        let columns = columns.iter().map(|column| array(column));
        quote!(jacobian: [#(#columns),*], known: [#(#known),*],)
    });
    let (mode, most) = (format_ident!("{}", expected.mode), emit::float(case.friction[0]));
    quote! {
        Case {
            #(#fields,)*
            before: #before,
            contact_inertia: #inertia,
            most_friction: #most,
            after: #after,
            impulse: #impulse,
            #qd_after
            compression_impulse: #compression,
            normal_work: #normal,
            friction_work: #friction,
            mode: Mode::#mode,
            #slopes
        }
    }
}

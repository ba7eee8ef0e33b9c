//! What a solver knows of the robot behind the contact: constants, or the
//! dynamics as a program of the joints' positions.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::code::Parts;
use super::trial::ImpactInput;
use crate::Error;
use crate::derivations::Law;
use crate::emit;
use crate::program::{Number, ScalarProgram};
use crate::robot::{Body, Plan};
use crate::specialise::select;

/// The robot's own numbers as a input without velocity.
pub(super) fn nominal<const N: usize>(plan: &Plan) -> Result<ImpactInput<N>, Error> {
    let inertia = match &plan.body {
        Body::Inertia(inertia) | Body::Masses { inertia, .. } => inertia,
        Body::Model { .. } => return Err(Error::Emit("D depends on q".to_owned())),
    };
    Ok(input(plan, inertia, [0.0; N]))
}

/// An impact of the plan's robot.
pub(super) fn input<const N: usize>(
    plan: &Plan,
    inertia: &[f64],
    velocity: [f64; N],
) -> ImpactInput<N> {
    ImpactInput {
        inertia: std::array::from_fn(|i| {
            std::array::from_fn(|j| inertia.get(N * i + j).copied().unwrap_or_default())
        }),
        velocity,
        friction: plan.friction,
        law: plan.law,
        e: plan.e,
    }
}

/// A number of the robot's as a constant of its programs.
pub(super) fn exact(value: f64) -> Result<Number, Error> {
    Number::try_from(value).map_err(|e| Error::Emit(e.to_string()))
}

/// A contact that the runtime does not take.
pub(super) fn refused(status: &str) -> Error {
    Error::Specification {
        field: "contact".to_owned(),
        value: "D".to_owned(),
        reason: format!("the solver's arithmetic finds it {status}"),
    }
}

/// The bytes of stack that sine and cosine take for large angles, which they
/// reduce in several words.
const REDUCTION: usize = 896;

/// A law as the solver names it.
pub(in crate::solver) fn law(law: Law) -> TokenStream {
    match law {
        Law::Newton => quote!(Law::Newton),
        Law::Poisson => quote!(Law::Poisson),
        Law::Energetic => quote!(Law::Energetic),
    }
}

/// Adds the constants that are none of the solver's arguments, and the dynamics.
pub(super) fn add(plan: &Plan, parts: &mut Parts) -> Result<(), Error> {
    let [static_friction, kinetic] = plan.friction.map(emit::float);
    let (law, e) = (law(plan.law), emit::float(plan.e));
    parts.add(quote! {
        /// The friction that the solver was made for.
        const FRICTION: Friction = Friction { static_friction: #static_friction, kinetic: #kinetic };

        /// The restitution that the solver was made for.
        const RESTITUTION: Restitution = Restitution { law: #law, e: #e };
    });
    match &plan.body {
        Body::Inertia(inertia) => {
            parts.add(vector("INERTIA", "The contact inertia, by rows.", inertia))
        }
        Body::Masses { inertia, jacobian, response, velocities } => {
            let size = plan.dimension.size();
            parts.kept += 2 * velocities;
            parts.add(vector("INERTIA", "The contact inertia, by rows.", inertia));
            parts.add(matrix("JACOBIAN", "The contact Jacobian.", jacobian, size, *velocities));
            parts.add(matrix(
                "RESPONSE",
                "How velocities respond to an impulse.",
                response,
                *velocities,
                size,
            ));
        }
        Body::Model { program, velocities, .. } => {
            let program = needed(program);
            let size = plan.dimension.size();
            parts.kept += size * (size + 2 * velocities) + 3 + 2 * velocities;
            parts.needs(program.most_waiting());
            parts.besides += REDUCTION;
            parts.counts.push(("D(q), J(q), response".to_owned(), program.graph.operations()));
            parts.add(dynamics(plan, &program));
        }
    }
    Ok(())
}

/// The dynamics that an impact needs: all but the mass matrix.
pub(super) fn needed(program: &ScalarProgram) -> ScalarProgram {
    select(program, |name| !name.starts_with("M_"))
}

fn vector(name: &str, meaning: &str, values: &[f64]) -> TokenStream {
    let (name, size) = (format_ident!("{name}"), emit::index(values.len()));
    let lines = emit::doc([meaning.to_owned()]);
    let values = values.iter().map(|&x| emit::float(x));
    quote!(#lines const #name: [Real; #size] = [#(#values),*];)
}

fn matrix(name: &str, meaning: &str, values: &[f64], height: usize, width: usize) -> TokenStream {
    let (name, lines) = (format_ident!("{name}"), emit::doc([meaning.to_owned()]));
    let rows = values.chunks(width).map(|row| {
        let row = row.iter().map(|&x| emit::float(x));
        quote!([#(#row),*])
    });
    let (height, width) = (emit::index(height), emit::index(width));
    quote!(#lines const #name: [[Real; #width]; #height] = [#(#rows),*];)
}

/// `fn dynamics` and the record it fills.
fn dynamics(plan: &Plan, program: &ScalarProgram) -> TokenStream {
    let size = plan.dimension.size();
    let body = emit::assignments(&program.graph, &|input| {
        let index = program.graph.inputs.iter().position(|name| name == input);
        let index = emit::index(index.unwrap_or_default());
        quote!(q[#index])
    });
    let stores = program.outputs.iter().flat_map(|(name, id)| {
        let value = emit::reference(&program.graph, *id);
        places(name, size).into_iter().map(move |place| quote!(out.#place = #value;))
    });
    let lines = emit::doc([
        "The dynamics at given positions:".to_owned(),
        format!("{}.", program.graph.operations()),
    ]);
    let entries = emit::index(size * size);
    quote! {
        /// What the robot shows at its contact point.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Dynamics {
            /// Contact inertia, by rows, in 1/kg.
            pub inertia: [Real; #entries],
            /// Contact Jacobian, from velocities to those of the contact point.
            pub jacobian: [[Real; VELOCITIES]; DIMENSION],
            /// How velocities respond to an impulse at the contact point.
            pub response: [[Real; DIMENSION]; VELOCITIES],
            /// Where the contact point is, in m.
            pub point: [Real; 3],
        }

        /// No dynamics yet.
        const NO_DYNAMICS: Dynamics = Dynamics {
            inertia: [0.0; #entries],
            jacobian: [[0.0; VELOCITIES]; DIMENSION],
            response: [[0.0; DIMENSION]; VELOCITIES],
            point: [0.0; 3],
        };

        #lines
        pub fn dynamics(q: &[Real; POSITIONS], out: &mut Dynamics) {
            #body
            #(#stores)*
        }
    }
}

/// Where an output of the dynamics belongs; `D` is symmetric.
fn places(output: &str, size: usize) -> Vec<TokenStream> {
    let mut parts = output.split('_');
    let kind = parts.next().unwrap_or_default();
    let indices: Vec<usize> = parts.filter_map(|part| part.parse().ok()).collect();
    let at = |i: usize| emit::index(i);
    match (kind, &indices[..]) {
        ("D", &[i, j]) => {
            let (upper, lower) = (at(size * i + j), at(size * j + i));
            let mut both = vec![quote!(inertia[#upper])];
            if i != j {
                both.push(quote!(inertia[#lower]));
            }
            both
        }
        ("J", &[i, j]) => {
            let (i, j) = (at(i), at(j));
            vec![quote!(jacobian[#i][#j])]
        }
        ("R", &[j, i]) => {
            let (j, i) = (at(j), at(i));
            vec![quote!(response[#j][#i])]
        }
        ("tip", &[k]) => {
            let k = at(k);
            vec![quote!(point[#k])]
        }
        _ => Vec::new(),
    }
}

/// The statements that find the contact point's velocity.
pub(super) fn contact_velocity(plan: &Plan) -> TokenStream {
    let (dynamics, jacobian) = match plan.body {
        Body::Inertia(_) => return TokenStream::new(),
        Body::Masses { .. } => (quote!(), quote!(JACOBIAN)),
        Body::Model { .. } => (
            quote! {
                let mut model = NO_DYNAMICS;
                dynamics(q, &mut model);
            },
            quote!(model.jacobian),
        ),
    };
    quote! {
        #dynamics
        let mut velocity = [0.0; DIMENSION];
        for i in 0..DIMENSION {
            for j in 0..VELOCITIES {
                velocity[i] += #jacobian[i][j] * qd[j];
            }
        }
    }
}

/// The statements that find the velocities after impact, if there are any.
pub(super) fn joint_velocities(plan: &Plan) -> Option<TokenStream> {
    let response = match plan.body {
        Body::Inertia(_) => return None,
        Body::Masses { .. } => quote!(RESPONSE),
        Body::Model { .. } => quote!(model.response),
    };
    Some(quote! {
        for j in 0..VELOCITIES {
            out.qd[j] = qd[j];
            for i in 0..DIMENSION {
                out.qd[j] += #response[j][i] * out.impulse[i];
            }
            if collided == Status::Solved && !finite(out.qd[j]) {
                return Status::NotFinite;
            }
        }
    })
}

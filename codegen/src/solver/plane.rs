//! A solver in the plane: the closed forms, specialised as far as the contact is
//! known.

use proc_macro2::TokenStream;
use quote::quote;

use super::code::{Parts, is_constant};
use super::robot;
use super::trial::{self, Prepared};
use crate::derivations::Derivations;
use crate::emit::{concrete, is_planar_result, planar_choice, planar_form};
use crate::robot::{Plan, Runtime};
use crate::specialise::{Bindings, equations, fold_scalars, select};
use crate::{Error, Precision};

/// Adds the closed forms, and the contact if it is known.
pub(super) fn add(plan: &Plan, derivations: &Derivations, parts: &mut Parts) -> Result<(), Error> {
    let mut bindings = Bindings::new();
    if is_constant(plan) {
        let Prepared { contact, parameters } =
            trial::prepare_planar(plan.precision, &robot::nominal(plan)?)
                .map_err(|status| robot::refused(&status))?;
        parts.add(quote! {
            /// The contact in units of order one.
            const CONTACT: PlanarContact = #contact;
        });
        for (name, value) in ["a", "b", "c", "mu"].iter().zip(parameters) {
            bindings.insert(name.to_string(), robot::exact(value)?);
        }
    }
    let any_law = plan.runtime.contains(&Runtime::Restitution);
    if !any_law {
        bindings.insert("e".to_owned(), robot::exact(plan.e)?);
    }
    for form in &derivations.planar {
        if any_law || form.law == plan.law {
            let program = equations::planar(&form.program, plan.derivatives)?;
            let folded = match plan.precision {
                Precision::F64 => fold_scalars::<f64>(&program, &bindings),
                Precision::F32 => fold_scalars::<f32>(&program, &bindings),
            };
            let program = match folded {
                // A mode that this contact never has: its form stays general.
                Err(Error::DivisionByZero { .. }) => program,
                special => special?,
            };
            let program = select(&program, is_planar_result);
            let count = program.graph.operations();
            let law = form.law.name();
            let mode = form.mode.name().replace('_', " ");
            parts.counts.push((format!("{mode}, {law} law"), count));
            parts.needs(program.most_waiting());
            let function = concrete(planar_form(&program, plan.derivatives))?;
            parts.add(quote!(#(#function)*));
        }
    }
    // The contact, the approach and the result; frames are three deep.
    parts.kept += 32;
    parts.besides += 256;
    parts.add(planar_choice(&TokenStream::new(), (!any_law).then_some(plan.law), plan.derivatives));
    Ok(())
}

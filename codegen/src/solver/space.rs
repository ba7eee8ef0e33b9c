//! A solver in space: the series kernel, specialised as far as the contact is
//! known.

use proc_macro2::TokenStream;
use quote::quote;

use super::code::{Parts, is_constant};
use super::robot;
use super::trial::{self, Prepared};
use crate::Error;
use crate::derivations::Derivations;
use crate::emit::{self, concrete, unrolled};
use crate::program::SeriesProgram;
use crate::robot::Plan;
use crate::specialise::equations::{slip, slip_unknowns};
use crate::specialise::{Bindings, specialise_series};

/// The parameters of the kernel's system, and where a contact has them.
const PARAMETERS: [&str; 6] = ["a", "h1", "h2", "b1", "b2", "mu"];

/// Adds a contact that is known.
pub(super) fn add_contact(plan: &Plan, parts: &mut Parts) -> Result<Prepared, Error> {
    let prepared = trial::prepare_spatial(plan.precision, &robot::nominal(plan)?)
        .map_err(|status| robot::refused(&status))?;
    let contact = &prepared.contact;
    parts.add(quote! {
        /// The contact in its principal axes.
        const CONTACT: Contact = #contact;
    });
    Ok(prepared)
}

/// Adds the kernel, and the contact if it is known; returns the order.
pub(super) fn add(
    plan: &Plan,
    derivations: &Derivations,
    parts: &mut Parts,
) -> Result<usize, Error> {
    let order = routh_runtime::double::step::cheapest_order(plan.tolerance);
    let general = &slip(&derivations.regularised, plan.derivatives)?;
    let (name, program) = if is_constant(plan) {
        let Prepared { parameters, .. } = add_contact(plan, parts)?;
        let bindings = PARAMETERS
            .iter()
            .zip(parameters)
            .map(|(name, value)| Ok((name.to_string(), robot::exact(value)?)));
        let bindings = bindings.collect::<Result<Bindings, Error>>()?;
        ("expansion of this contact's sliding", specialise_series(general, &bindings)?)
    } else {
        ("expansion of any contact's sliding", general.clone())
    };
    parts.counts.push((format!("{name}, order {order}"), program.operations(order)));
    // The contact, the course and the result; then the rows, what the kernel keeps
    // of them, and what events are found on.
    let columns = slip_unknowns(plan.derivatives);
    parts.kept += 128;
    parts.needs((2 * columns + program.ops.len() + 6) * (order + 1) + 12 * columns);
    parts.besides += 1024;
    kernel(&program, order, parts)?;
    Ok(order)
}

/// The sizes of series, and what their steps are chosen by.
pub(super) fn constants(plan: &Plan, order: usize) -> TokenStream {
    let tolerance = emit::float(plan.tolerance);
    let log2_tolerance = emit::float(trial::log2_tolerance(plan.precision, plan.tolerance));
    let (rows, order) = (emit::index(order + 1), emit::index(order));
    let columns = emit::index(slip_unknowns(plan.derivatives));
    quote! {
        /// The order of the power series.
        pub const ORDER: usize = #order;

        /// Coefficients of a series.
        const ROWS: usize = #rows;

        /// Unknowns that are expanded.
        const COLUMNS: usize = #columns;

        /// How closely slips are followed.
        const KERNEL: Kernel = Kernel {
            control: StepControl {
                tolerance: #tolerance,
                log2_tolerance: #log2_tolerance,
                order: #order,
            },
        };
    }
}

/// `fn expand`: the straight-line kernel behind the runtime's interface.
fn kernel(program: &SeriesProgram, order: usize, parts: &mut Parts) -> Result<(), Error> {
    let straight = concrete(unrolled("expansion", program, order)?)?;
    let kernel = quote::format_ident!("expansion_{order}");
    let needed = emit::used(program).len();
    let (constants, call) = if needed == 0 {
        (quote!(let _ = contact;), quote!(#kernel(state, rows)))
    } else {
        let items = concrete(emit::constants("expansion", program)?)?;
        parts.add(quote!(#(#items)*));
        let size = emit::index(needed);
        let known = PARAMETERS.iter().filter(|p| program.scalars.inputs.iter().any(|i| i == *p));
        let arguments = known.map(|p| match *p {
            "a" => quote!(contact.a),
            "h1" => quote!(contact.h[0]),
            "h2" => quote!(contact.h[1]),
            "b1" => quote!(contact.b[0]),
            "b2" => quote!(contact.b[1]),
            _ => quote!(contact.mu),
        });
        let constants = quote! {
            let mut constants = [0.0; #size];
            expansion_constants(#(#arguments,)* &mut constants);
        };
        (constants, quote!(#kernel(&constants, state, rows)))
    };
    parts.add(quote! {
        #(#straight)*

        /// The Taylor coefficients of a slip's unknowns, a row for each order.
        fn expand(contact: &Contact, state: &[Real; COLUMNS], rows: &mut [[Real; COLUMNS]; ROWS]) {
            #constants
            #call;
        }
    });
    Ok(())
}

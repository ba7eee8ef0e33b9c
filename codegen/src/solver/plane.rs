//! A solver in the plane: the closed forms, specialised as far as the contact is
//! known.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::code::{Parts, is_constant};
use super::robot;
use super::trial::{self, Prepared};
use crate::Error;
use crate::derivations::{Derivations, Law, PlanarMode};
use crate::emit;
use crate::program::ScalarProgram;
use crate::robot::{Plan, Runtime};
use crate::specialise::differentiate::{differentiated, without_roots_of_squares};
use crate::specialise::{Bindings, select, specialise_scalars};

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
            let program =
                if plan.derivatives { slopes(&form.program)? } else { form.program.clone() };
            let program = match specialise_scalars(&program, &bindings) {
                // A mode that this contact never has: its form stays general.
                Err(Error::DivisionByZero { .. }) => {
                    specialise_scalars(&program, &Bindings::new())?
                }
                special => special?,
            };
            let program = select(&program, |name| place(name).is_some());
            let count = program.graph.operations();
            let law = form.law.name();
            let mode = form.mode.name().replace('_', " ");
            parts.counts.push((format!("{mode}, {law} law"), count));
            parts.needs(program.most_waiting());
            parts.add(function(plan, &program)?);
        }
    }
    // The contact, the approach and the result; frames are three deep.
    parts.kept += 32;
    parts.besides += 256;
    parts.add(choice(plan, any_law));
    Ok(())
}

/// What varies, and by what, in the order of the Jacobian.
const VARIED: [&str; 2] = ["normal_velocity", "tangential_velocity"];
const BY: [&str; 4] = ["vn", "vt", "mu", "e"];

/// Inputs of an ordinary impact, in the order of the forms': the factors under
/// their roots have the same signs in every impact.
const ORDINARY: [f64; 8] = [1.0, 1.0, 0.125, 0.5, 1.0, 0.5, -1.0, 0.5];

/// A form with its derivatives.
fn slopes(form: &ScalarProgram) -> Result<ScalarProgram, Error> {
    differentiated(&without_roots_of_squares(form, &ORDINARY)?, &VARIED, &BY)
}

/// Where a form's output belongs in the result.
fn place(output: &str) -> Option<TokenStream> {
    Some(match output {
        "normal_velocity" => quote!(closed.velocity[0]),
        "tangential_velocity" => quote!(closed.velocity[1]),
        "normal_impulse" => quote!(closed.impulse[0]),
        "tangential_impulse" => quote!(closed.impulse[1]),
        "compression_impulse" => quote!(closed.compression_impulse),
        "normal_work" => quote!(closed.normal_work),
        "friction_work" => quote!(closed.friction_work),
        "halt_impulse" => quote!(closed.halt_impulse),
        _ => {
            let (of, by) = output.split_once("_by_")?;
            let row = emit::index(VARIED.iter().position(|name| *name == of)?);
            let column = emit::index(BY.iter().position(|name| *name == by)?);
            quote!(jacobian[#row][#column])
        }
    })
}

/// The Jacobian as a parameter and as an argument, if there is one.
fn jacobian(plan: &Plan) -> [Option<TokenStream>; 2] {
    let given = |tokens: TokenStream| plan.derivatives.then_some(tokens);
    [given(quote!(, jacobian: &mut [[Real; 4]; 2])), given(quote!(, jacobian))]
}

fn function(plan: &Plan, program: &ScalarProgram) -> Result<TokenStream, Error> {
    let name = format_ident!("{}", program.name);
    let lines =
        emit::doc([format!("{}: {}.", program.name.replace('_', " "), program.graph.operations())]);
    let body = emit::assignments(&program.graph, &|input| {
        let field = format_ident!("{input}");
        quote!(approach.#field)
    });
    let stores = program.outputs.iter().filter_map(|(output, id)| {
        let (place, value) = (place(output)?, emit::reference(&program.graph, *id));
        Some(quote!(#place = #value;))
    });
    let [parameter, _] = jacobian(plan);
    let function = emit::concrete(quote! {
        #lines
        fn #name(approach: &Approach, closed: &mut Closed #parameter) {
            #body
            #(#stores)*
        }
    })?;
    Ok(quote!(#(#function)*))
}

/// `fn evaluate`: the closed form of a mode under a law.
fn choice(plan: &Plan, any_law: bool) -> TokenStream {
    let modes = [
        ("PermanentSliding", PlanarMode::PermanentSliding),
        ("StickingInCompression", PlanarMode::StickingInCompression),
        ("ReverseInCompression", PlanarMode::ReverseInCompression),
        ("StickingInRestitution", PlanarMode::StickingInRestitution),
        ("ReverseInRestitution", PlanarMode::ReverseInRestitution),
        ("Sticking", PlanarMode::Sticking),
        ("SlipFromRest", PlanarMode::PermanentSliding),
    ];
    let [parameter, argument] = &jacobian(plan);
    let under = |law: Law| {
        let arms = modes.iter().map(|(variant, mode)| {
            let variant = format_ident!("{variant}");
            let form = format_ident!("{}_{}", mode.name(), law.name());
            quote!(Mode::#variant => #form(approach, closed #argument),)
        });
        quote!(match mode { #(#arms)* })
    };
    let body = if any_law {
        let [newton, poisson, energetic] = Law::ALL.map(under);
        quote! {
            match law {
                Law::Newton => #newton,
                Law::Poisson => #poisson,
                Law::Energetic => #energetic,
            }
        }
    } else {
        let only = under(plan.law);
        quote!(let _ = law; #only)
    };
    quote! {
        /// The closed form of a mode under a law.
        fn evaluate(approach: &Approach, mode: Mode, law: Law, closed: &mut Closed #parameter) {
            #body
        }
    }
}

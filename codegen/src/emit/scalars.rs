//! Scalar graphs as `let` statements.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::{call, doc, float, ident, index, names};
use crate::Error;
use crate::program::{Number, Scalar, ScalarGraph, ScalarId, SeriesProgram};

/// How a node is written where it is used.
pub(crate) fn reference(graph: &ScalarGraph, id: ScalarId) -> TokenStream {
    match graph.node(id) {
        Scalar::Number(n) => float(n.to_f64()),
        Scalar::Input(i) => {
            let name = ident(&graph.inputs[*i]);
            quote!(#name)
        }
        _ => {
            let name = format_ident!("s{}", id.0);
            quote!(#name)
        }
    }
}

/// A statement for every node that is neither a number nor an input.
pub(super) fn statements(graph: &ScalarGraph) -> TokenStream {
    graph
        .nodes
        .iter()
        .enumerate()
        .filter(|(_, node)| !matches!(node, Scalar::Number(_) | Scalar::Input(_)))
        .map(|(i, node)| {
            let name = format_ident!("s{i}");
            let value = expression(graph, node);
            quote!(let #name = #value;)
        })
        .collect()
}

/// The statements of a graph whose inputs are read from where `place` says.
pub(crate) fn assignments(graph: &ScalarGraph, place: &dyn Fn(&str) -> TokenStream) -> TokenStream {
    let inputs = graph.nodes.iter().filter_map(|node| match node {
        Scalar::Input(i) => {
            let (name, place) = (ident(&graph.inputs[*i]), place(&graph.inputs[*i]));
            Some(quote!(let #name = #place;))
        }
        _ => None,
    });
    let statements = statements(graph);
    quote!(#(#inputs)* #statements)
}

fn expression(graph: &ScalarGraph, node: &Scalar) -> TokenStream {
    let at = |id: ScalarId| reference(graph, id);
    match node {
        Scalar::Number(n) => float(n.to_f64()),
        Scalar::Input(_) => TokenStream::new(),
        Scalar::Sum(terms) => {
            let terms = terms.iter().map(|&t| at(t));
            quote!(#(#terms)+*)
        }
        Scalar::Product(factors) => {
            let minus = graph.number(factors[0]).is_some_and(|n| *n == Number::from(-1));
            let factors = factors.iter().skip(usize::from(minus)).map(|&t| at(t));
            let product = factors.reduce(|x, y| quote!(#x * #y));
            if minus { quote!(-#product) } else { quote!(#product) }
        }
        Scalar::Power(base, n) => {
            let power = repeated(&at(*base), n.unsigned_abs());
            match n {
                -1 => quote!(1.0 / #power),
                ..-1 => quote!(1.0 / (#power)),
                _ => power,
            }
        }
        Scalar::Apply(function, x) => call(*function, &at(*x)),
    }
}

fn repeated(x: &TokenStream, n: u32) -> TokenStream {
    match n {
        1 => x.clone(),
        _ if n.is_multiple_of(2) => {
            let half = repeated(x, n / 2);
            match n {
                2 => quote!(#x * #x),
                _ => quote!({ let h = #half; h * h }),
            }
        }
        _ => {
            let rest = repeated(x, n - 1);
            quote!(#x * (#rest))
        }
    }
}

/// The scalars that a series program's operations use, constants aside, in
/// the order in which its kernels expect them.
pub(crate) fn used(program: &SeriesProgram) -> Vec<ScalarId> {
    let mut ids: Vec<ScalarId> = program
        .ops
        .iter()
        .flat_map(|op| {
            let mut scalars = Vec::new();
            op.clone().each_scalar(|id| scalars.push(*id));
            scalars
        })
        .filter(|&id| program.scalars.number(id).is_none())
        .collect();
    ids.sort();
    ids.dedup();
    ids
}

/// `fn NAME_constants(parameters…) -> [f64; K]`: what depends on the parameters
/// alone, for the kernels of the same name.
///
/// # Errors
/// [`Error::Name`] for a name that emitted code cannot have.
pub fn constants(name: &str, program: &SeriesProgram) -> Result<TokenStream, Error> {
    names::check(program)?;
    let function = format_ident!("{name}_constants");
    let size = index(used(program).len());
    let inputs = program.scalars.inputs.iter().map(|i| ident(i));
    let body = statements(&program.scalars);
    let values = used(program).into_iter().map(|id| reference(&program.scalars, id));
    let lines = doc([format!(
        "What `{name}` kernels need of the parameters, once for all expansions ({}).",
        program.scalars.operations()
    )]);
    Ok(quote! {
        #lines
        pub fn #function(#(#inputs: f64),*) -> [f64; #size] {
            #body
            [#(#values),*]
        }
    })
}

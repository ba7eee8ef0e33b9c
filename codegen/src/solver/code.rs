//! A solver's code in the subset of Rust that all languages are printed from.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::tables::Tables;
use super::{flow, plane, robot, space};
use crate::Error;
use crate::derivations::Derivations;
use crate::emit::{Instance, flattened, reachable};
use crate::program::OperationCount;
use crate::robot::{Body, Dimension, Kind, Plan, Runtime};
use crate::{Precision, emit};

/// A solver's code, and what it takes to run it.
pub(crate) struct Code {
    /// Constants, types and functions; `solve` is the one to call.
    pub(crate) file: syn::File,
    /// The arguments of `solve` before `out`.
    pub(crate) arguments: Vec<Argument>,
    /// What each part computes, and in how many operations.
    pub(crate) parts: Vec<(String, OperationCount)>,
    /// What it solves impacts by.
    pub(crate) method: Method,
    /// A bound on the bytes of stack that `solve` takes when it is optimised.
    pub(crate) stack: usize,
}

/// What impacts are solved by.
#[derive(Clone, Debug)]
pub(crate) enum Method {
    /// In the plane.
    ClosedForms,
    /// In space, of this order.
    Series { order: usize },
    /// In space, for one contact.
    Flow(Box<Tables>),
}

impl Method {
    /// Steps that an impact takes at most.
    pub(crate) fn most_steps(&self) -> usize {
        match self {
            Self::Series { .. } => routh_runtime::double::series::MOST_STEPS,
            Self::ClosedForms | Self::Flow(_) => 0,
        }
    }
}

/// An argument of a solver: always in this order, whichever there are.
#[derive(Clone, Debug)]
pub(crate) struct Argument {
    pub(crate) name: &'static str,
    /// Its type behind the reference.
    pub(crate) kind: TokenStream,
    /// What it is, in words.
    pub(crate) meaning: String,
}

/// What the parts of a solver contribute.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) items: TokenStream,
    pub(super) counts: Vec<(String, OperationCount)>,
    /// Numbers on the stack throughout an impact.
    pub(super) kept: usize,
    /// Numbers on the stack besides, in the function that needs most.
    pub(super) most: usize,
    /// Bytes of stack that are no numbers of the solver's: saved registers,
    /// counters, padding, and what the elementary functions take.
    pub(super) besides: usize,
}

impl Parts {
    pub(super) fn add(&mut self, items: TokenStream) {
        self.items.extend(items);
    }

    /// Takes into account a function that has this many numbers at once.
    pub(super) fn needs(&mut self, numbers: usize) {
        self.most = self.most.max(numbers);
    }
}

impl Code {
    pub(crate) fn new(plan: &Plan, derivations: &Derivations) -> Result<Self, Error> {
        let mut parts = Parts::default();
        let method = match (plan.dimension, plan.kind) {
            (Dimension::Plane, _) => {
                plane::add(plan, derivations, &mut parts)?;
                Method::ClosedForms
            }
            (Dimension::Space, Kind::Series) => {
                Method::Series { order: space::add(plan, derivations, &mut parts)? }
            }
            (Dimension::Space, Kind::Flow) => Method::Flow(Box::new(flow::add(plan, &mut parts)?)),
        };
        robot::add(plan, &mut parts)?;
        let bytes = match plan.precision {
            Precision::F64 => 8,
            Precision::F32 => 4,
        };
        let size = plan.dimension.size();
        let jacobians = if plan.derivatives { 2 * size * (size + 2) } else { 0 };
        let numbers = parts.kept + jacobians + parts.most;
        let stack = (numbers * bytes + parts.besides).next_multiple_of(64);
        let arguments = arguments(plan);
        let file = assemble(plan, &method, stack, &arguments, parts.items)?;
        Ok(Self { file, arguments, parts: parts.counts, method, stack })
    }
}

fn arguments(plan: &Plan) -> Vec<Argument> {
    let size = plan.dimension.size();
    let mut all = Vec::new();
    let mut add = |name, kind, meaning: &str| {
        all.push(Argument { name, kind, meaning: meaning.to_owned() });
    };
    match &plan.body {
        Body::Inertia(_) => {
            add("velocity", quote!([Real; DIMENSION]), "velocity of the contact point, m/s");
        }
        Body::Masses { .. } => add("qd", quote!([Real; VELOCITIES]), "generalised velocities"),
        Body::Model { .. } => {
            add("q", quote!([Real; POSITIONS]), "positions, as listed above");
            add("qd", quote!([Real; VELOCITIES]), "velocities, as listed above");
        }
    }
    if plan.runtime.contains(&Runtime::Inertia) {
        let entries = emit::index(size * size);
        add("inertia", quote!([Real; #entries]), "contact inertia D by rows, 1/kg");
    }
    if plan.runtime.contains(&Runtime::Friction) {
        add("friction", quote!(Friction), "friction coefficients");
    }
    if plan.runtime.contains(&Runtime::Restitution) {
        add("restitution", quote!(Restitution), "law and coefficient of restitution");
    }
    all
}

/// The runtime's files behind each method.
fn files(method: &Method, derivatives: bool) -> Vec<&'static str> {
    let mut files = vec!["number/number", "impact/result", "contact/inertia", "impact/follow"];
    match method {
        Method::ClosedForms => files.push("plane"),
        Method::Series { .. } | Method::Flow(_) => {
            files.extend(["number/elementary", "contact/directions", "impact/straight"]);
            files.extend(["impact/restitution", "impact/check"]);
        }
    }
    match method {
        Method::ClosedForms => {}
        Method::Series { .. } => files.extend(["slide/roots", "slide/step", "slide/series"]),
        Method::Flow(tables) => {
            files.extend(["tables/orbit", "tables/sectors"]);
            if tables.pieces.is_some() {
                files.extend(["tables/piece", "tables/pieces"]);
            }
        }
    }
    if derivatives && !matches!(method, Method::ClosedForms) {
        files.push("impact/derivatives");
    }
    files
}

/// The runtime, constants and generated items, less what `solve` does not reach.
fn assemble(
    plan: &Plan,
    method: &Method,
    stack: usize,
    arguments: &[Argument],
    items: TokenStream,
) -> Result<syn::File, Error> {
    let instance = Instance {
        precision: plan.precision,
        kernel: if let Method::Flow(_) = method { "Tables" } else { "Kernel" },
        derivatives: plan.derivatives,
    };
    let mut all = items_of(constants(plan, method, stack))?;
    all.extend(flattened(&files(method, plan.derivatives), instance)?);
    let mut file: syn::File = syn::parse_quote!(#(#all)*);
    extend_impact(plan, &mut file)?;
    if let Method::ClosedForms = method {
        shorten_events(&mut file);
    }
    file.items.extend(items_of(items)?);
    file.items.extend(items_of(solve(plan, method, arguments))?);
    let mut roots = vec!["solve", "DIMENSION", "MOST_STEPS", "STACK_BYTES"];
    match method {
        Method::ClosedForms => {}
        Method::Series { .. } => roots.push("ORDER"),
        Method::Flow(_) => {
            roots.extend(["SECTORS", "DEGREE", "TABLE_BYTES", "PIECES", "PIECE_BYTES"]);
        }
    }
    if let Body::Model { .. } = plan.body {
        roots.push("POSITIONS");
    }
    Ok(reachable(file, &roots))
}

/// Leaves room for no more events than a planar impact has.
fn shorten_events(file: &mut syn::File) {
    let most = emit::index(routh_runtime::double::plane::MOST_PLANAR_EVENTS);
    for item in &mut file.items {
        if let syn::Item::Const(item) = item
            && item.ident == "MOST_EVENTS"
        {
            *item.expr = syn::parse_quote!(#most);
        }
    }
}

fn items_of(tokens: TokenStream) -> Result<Vec<syn::Item>, Error> {
    let file: syn::File = syn::parse2(tokens).map_err(|e| Error::Emit(e.to_string()))?;
    Ok(file.items)
}

fn constants(plan: &Plan, method: &Method, stack: usize) -> TokenStream {
    let (size, stack) = (emit::index(plan.dimension.size()), emit::index(stack));
    let kernel = match method {
        Method::ClosedForms => no_steps(),
        Method::Series { order } => space::constants(plan, *order),
        Method::Flow(tables) => {
            let tables = flow::constants(tables);
            let steps = no_steps();
            quote!(#tables #steps)
        }
    };
    let sizes = match plan.body {
        Body::Inertia(_) => quote!(),
        Body::Masses { velocities, .. } => {
            let velocities = emit::index(velocities);
            quote! {
                /// Generalised velocities.
                pub const VELOCITIES: usize = #velocities;
            }
        }
        Body::Model { positions, velocities, .. } => {
            let (positions, velocities) = (emit::index(positions), emit::index(velocities));
            quote! {
                /// Positions.
                pub const POSITIONS: usize = #positions;

                /// Velocities.
                pub const VELOCITIES: usize = #velocities;
            }
        }
    };
    quote! {
        /// Velocities of the contact point, normal first.
        pub const DIMENSION: usize = #size;
        #sizes
        #kernel
        /// A bound on the bytes of stack that an impact takes in an optimised build.
        pub const STACK_BYTES: usize = #stack;
    }
}

fn no_steps() -> TokenStream {
    quote! {
        /// Power-series steps that an impact takes at most.
        pub const MOST_STEPS: usize = 0;
    }
}

/// Adds the fields that only some robots' results have.
fn extend_impact(plan: &Plan, file: &mut syn::File) -> Result<(), Error> {
    let impact = file.items.iter_mut().find_map(|item| match item {
        syn::Item::Struct(item) if item.ident == "Impact" => Some(item),
        _ => None,
    });
    let Some(syn::ItemStruct { fields: syn::Fields::Named(fields), .. }) = impact else {
        return Err(Error::Emit("the runtime has no Impact".to_owned()));
    };
    if !matches!(plan.body, Body::Inertia(_)) {
        let field: syn::FieldsNamed = syn::parse_quote! {{
            /// Velocities after impact.
            pub qd: [Real; VELOCITIES]
        }};
        fields.named.extend(field.named);
    }
    if plan.derivatives {
        let size = plan.dimension.size();
        let (rows, columns) = (emit::index(size), emit::index(size + 2));
        let field: syn::FieldsNamed = syn::parse_quote! {{
            /// The Jacobian of the velocity after impact: by the velocity before, by
            /// kinetic friction and by the coefficient of restitution. At a start
            /// without tangential velocity from which the contact point slides, the
            /// columns of that are zero.
            pub jacobian: [[Real; #columns]; #rows]
        }};
        fields.named.extend(field.named);
    }
    Ok(())
}

/// `fn solve`: from the arguments to the result.
fn solve(plan: &Plan, method: &Method, arguments: &[Argument]) -> TokenStream {
    let parameters = arguments.iter().map(|Argument { name, kind, .. }| {
        let name = format_ident!("{name}");
        quote!(#name: &#kind)
    });
    let given = |runtime| plan.runtime.contains(&runtime);
    let friction = if given(Runtime::Friction) { quote!(friction) } else { quote!(&FRICTION) };
    let restitution =
        if given(Runtime::Restitution) { quote!(restitution) } else { quote!(&RESTITUTION) };
    let inertia = match (&plan.body, given(Runtime::Inertia)) {
        (Body::Model { .. }, _) => quote!(model.inertia),
        (_, true) => quote!(inertia),
        (_, false) => quote!(INERTIA),
    };
    let before = robot::contact_velocity(plan);
    let after = robot::joint_velocities(plan);
    let velocity = match plan.body {
        Body::Inertia(_) => quote!(velocity),
        _ => quote!(&velocity),
    };
    let (prepared, contact) = if is_constant(plan) {
        (quote!(), quote!(&CONTACT))
    } else {
        let (none, prepare) = match plan.dimension {
            Dimension::Plane => (
                quote!(PlanarContact::NONE),
                quote!(prepare_planar(&checked, #friction, &mut contact)),
            ),
            Dimension::Space => {
                (quote!(Contact::NONE), quote!(prepare(&checked, #friction, &mut contact)))
            }
        };
        let prepared = quote! {
            let mut given = [[0.0; DIMENSION]; DIMENSION];
            for i in 0..DIMENSION {
                for j in 0..DIMENSION {
                    given[i][j] = #inertia[DIMENSION * i + j];
                }
            }
            let mut checked = Inertia {
                entries: [[0.0; DIMENSION]; DIMENSION],
                sticking_rate: 0.0,
                row: 0,
                column: 0,
            };
            let mut status = check_inertia(&given, &mut checked);
            if status != Status::Solved {
                return status;
            }
            let mut contact = #none;
            status = #prepare;
            if status != Status::Solved {
                return status;
            }
        };
        (prepared, quote!(&contact))
    };
    let size = plan.dimension.size();
    let (rows, columns) = (emit::index(size), emit::index(size + 2));
    let (jacobian, slopes) = match plan.derivatives {
        false => (quote!(), quote!()),
        true => (quote!(let mut jacobian = [[0.0; #columns]; #rows];), quote!(, &mut jacobian)),
    };
    let collided = match method {
        Method::ClosedForms => {
            quote!(collide_planar(#contact, #velocity, #restitution, out #slopes))
        }
        Method::Series { .. } => quote! {
            collide(#contact, #velocity, #restitution, &KERNEL, KERNEL.control.tolerance, out #slopes)
        },
        Method::Flow(tables) => {
            let tolerance = emit::float(tables.tolerance);
            let by_sectors =
                quote!(collide(#contact, #velocity, #restitution, &KERNEL, #tolerance, out));
            match tables.pieces {
                None => by_sectors,
                Some(_) => quote! {
                    if collide_by_pieces(&PIECE_TABLES, #contact, #velocity, #restitution, out) {
                        Status::Solved
                    } else {
                        #by_sectors
                    }
                },
            }
        }
    };
    let keep = plan.derivatives.then(|| quote!(out.jacobian = jacobian;));
    let ending = match (after, keep) {
        (None, None) => collided,
        (after, keep) => quote! {
            let collided = #collided;
            #keep
            #after
            collided
        },
    };
    quote! {
        fn solve(#(#parameters,)* out: &mut Impact) -> Status {
            #before
            #prepared
            #jacobian
            #ending
        }
    }
}

/// Whether the contact is known when the solver is generated.
pub(super) fn is_constant(plan: &Plan) -> bool {
    let given = |runtime| plan.runtime.contains(&runtime);
    !matches!(plan.body, Body::Model { .. })
        && !given(Runtime::Inertia)
        && !given(Runtime::Friction)
}

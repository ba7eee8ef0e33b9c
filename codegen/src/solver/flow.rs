//! A solver in space for one contact: tables of its flow, as constants.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use routh_flow::Field;

use super::code::Parts;
use super::space;
use super::tables::{BUCKETS, NO_SECTOR, Tables};
use super::trial::Prepared;
use crate::robot::Plan;
use crate::{Error, Precision, emit};

/// Adds the contact and its tables, and returns these.
pub(super) fn add(plan: &Plan, parts: &mut Parts) -> Result<Tables, Error> {
    let Prepared { parameters, .. } = space::add_contact(plan, parts)?;
    let &[a, h1, h2, b1, b2, mu] = &parameters[..] else {
        return Err(Error::Emit("a contact has six parameters".to_owned()));
    };
    let field = Field { a, h: [h1, h2], b: [b1, b2], mu };
    let tables = Tables::new(&field, plan.tolerance, plan.precision)?;
    parts.add(kernel(&tables, plan.precision));
    // The contact, the course and the result; then a slip, and a root on it.
    parts.kept += 128;
    parts.needs(112 + 4 * (tables.degree + 1));
    parts.besides += 1024;
    Ok(tables)
}

/// The sizes of tables.
pub(super) fn constants(tables: &Tables) -> TokenStream {
    let (terms, degree) = (emit::index(tables.degree + 1), emit::index(tables.degree));
    let (sectors, borders) = (emit::index(tables.count()), emit::index(tables.border_count()));
    let (buckets, bytes) = (emit::index(BUCKETS), emit::index(tables.bytes()));
    quote! {
        /// Sectors of the compiled flow.
        pub const SECTORS: usize = #sectors;

        /// The degree of its functions.
        pub const DEGREE: usize = #degree;

        /// Bytes of its tables, at most.
        pub const TABLE_BYTES: usize = #bytes;

        /// Coefficients of a function.
        const TERMS: usize = #terms;

        /// Borders of sectors, in their order.
        const BORDERS: usize = #borders;

        /// Cells of equal size in which a border is looked up.
        const BUCKETS: usize = #buckets;
    }
}

/// `KERNEL`: the tables.
fn kernel(tables: &Tables, precision: Precision) -> TokenStream {
    let real = |x: f64| match precision {
        Precision::F64 => emit::float(x),
        Precision::F32 => emit::single(x as f32),
    };
    let filler = tables.count() - tables.sectors.len();
    let sectors = tables.sectors.iter().map(|made| sector(made, tables.degree, &real));
    let fillers = (0..filler).map(|_| sector(&NO_SECTOR, tables.degree, &real));
    let sectors = sectors.chain(fillers);
    let borders = tables.borders.iter().copied().chain((0..filler).map(|_| (0.0, 0)));
    let borders = borders.map(|(begins, sector)| {
        let (begins, sector) = (real(begins), emit::index(sector as usize));
        quote!(Border { begins: #begins, sector: #sector })
    });
    let buckets = tables.buckets.iter().map(|&border| emit::index(border as usize));
    quote! {
        /// The compiled flow of this contact.
        const KERNEL: Tables = Tables {
            sectors: [#(#sectors),*],
            borders: [#(#borders),*],
            buckets: [#(#buckets),*],
        };
    }
}

fn sector(
    made: &routh_flow::Sector,
    degree: usize,
    real: &dyn Fn(f64) -> TokenStream,
) -> TokenStream {
    let routh_flow::Sector { direction: [c, d], width, slope, along, rate, rises, .. } = *made;
    let [c, d, width, slope, along, rate] = [c, d, width, slope, along, rate].map(real);
    let rows = made.rows[..=degree].iter().map(|row| {
        let row = row.map(real);
        quote!([#(#row),*])
    });
    let passage = format_ident!("{}", format!("{:?}", made.passage));
    let [below, above] = made.next.map(|next| emit::index(next as usize));
    quote!(Sector {
        direction: [#c, #d],
        width: #width,
        slope: #slope,
        along: #along,
        rate: #rate,
        rows: [#(#rows),*],
        passage: Passage::#passage,
        rises: #rises,
        next: [#below, #above],
    })
}

//! A solver in space for one contact: tables of its flow, as constants.

use proc_macro2::TokenStream;
use quote::quote;
use routh_flow::{Field, Passage, Pieces};
use routh_runtime::double::piece::{Piece, Totals};

use super::code::Parts;
use super::tables::{BUCKETS, NO_SECTOR, Tables, ordered};
use super::trial::{self, Prepared};
use super::{robot, space};
use crate::robot::Plan;
use crate::{Error, Precision, emit};

/// Adds the contact and its tables, and returns these.
pub(super) fn add(plan: &Plan, parts: &mut Parts) -> Result<Tables, Error> {
    let Prepared { parameters, .. } = space::add_contact(plan, parts)?;
    let &[a, h1, h2, b1, b2, mu] = &parameters[..] else {
        return Err(Error::Emit("a contact has six parameters".to_owned()));
    };
    let field = Field { a, h: [h1, h2], b: [b1, b2], mu };
    let contact = match plan.pieces {
        true => Some(trial::contact(&robot::nominal(plan)?).map_err(|s| robot::refused(&s))?),
        false => None,
    };
    let tables = Tables::new(&field, plan.tolerance, plan.precision, contact.as_ref())?;
    parts.add(kernel(&tables, plan.precision));
    parts.add(tables.pieces.iter().map(piece_tables).collect());
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
    let pieces = tables.pieces.as_ref().map(|pieces| {
        let (count, bytes) = (emit::index(pieces.list.len()), emit::index(tables.piece_bytes()));
        let borders = emit::index(pieces.lookup.borders.len());
        quote! {
            /// Pieces of the compiled flow.
            pub const PIECES: usize = #count;

            /// Bytes of its pieces, at most; they are a part of `TABLE_BYTES`.
            pub const PIECE_BYTES: usize = #bytes;

            /// Borders of pieces and gaps, in their order.
            const PIECE_BORDERS: usize = #borders;
        }
    });
    quote! {
        #pieces
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
    let borders = borders.map(|(begins, sector)| border(real(begins), sector));
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

fn border(begins: TokenStream, number: u32) -> TokenStream {
    let number = emit::index(number as usize);
    quote!(Border { begins: #begins, sector: #number })
}

/// `PIECE_TABLES`: the pieces, in double precision.
fn piece_tables(pieces: &Pieces) -> TokenStream {
    let list = pieces.list.iter().map(piece);
    let (borders, buckets) = ordered(&pieces.lookup.borders, Precision::F64);
    let borders = borders.iter().map(|&(begins, number)| border(emit::float(begins), number));
    let buckets = buckets.iter().map(|&border| emit::index(border as usize));
    let from_rest = &pieces.from_rest;
    let normal = emit::float(from_rest.normal);
    let [tangential, friction] = [from_rest.tangential, from_rest.friction].map(|x| numbers(&x));
    quote! {
        /// Pieces of the compiled flow.
        const PIECE_TABLES: PieceTables = PieceTables {
            list: [#(#list),*],
            borders: [#(#borders),*],
            buckets: [#(#buckets),*],
            from_rest: RestRates {
                normal: #normal,
                tangential: #tangential,
                friction: #friction,
            },
        };
    }
}

fn piece(made: &Piece) -> TokenStream {
    let Piece { by_logarithm, rises, inverts, halts, .. } = *made;
    let next = emit::index(made.next as usize);
    let [scale, shift, speed, slowness, mean_rate, per_impulse, per_normal] = [
        made.scale,
        made.shift,
        made.speed,
        made.slowness,
        made.mean_rate,
        made.per_impulse,
        made.per_normal,
    ]
    .map(emit::float);
    let (direction, by_normal) = (numbers(&made.direction), numbers(&made.by_normal));
    let [whole, rest] = [&made.whole, &made.rest].map(totals);
    let by_direction = made.by_direction.iter().map(|row| numbers(row));
    let by_impulse = made.by_impulse.iter().map(|row| numbers(row));
    quote!(Piece {
        direction: #direction,
        scale: #scale,
        shift: #shift,
        by_logarithm: #by_logarithm,
        rises: #rises,
        inverts: #inverts,
        halts: #halts,
        next: #next,
        whole: #whole,
        rest: #rest,
        speed: #speed,
        slowness: #slowness,
        mean_rate: #mean_rate,
        per_impulse: #per_impulse,
        per_normal: #per_normal,
        by_direction: [#(#by_direction),*],
        by_impulse: [#(#by_impulse),*],
        by_normal: #by_normal,
    })
}

fn totals(made: &Totals) -> TokenStream {
    let [impulse, normal, work] = [made.impulse, made.normal, made.work].map(emit::float);
    let friction = numbers(&made.friction);
    quote!(Totals { impulse: #impulse, normal: #normal, work: #work, friction: #friction })
}

fn numbers(values: &[f64]) -> TokenStream {
    let values = values.iter().map(|x| emit::float(*x));
    quote!([#(#values),*])
}

fn sector(
    made: &routh_flow::Sector,
    degree: usize,
    real: &dyn Fn(f64) -> TokenStream,
) -> TokenStream {
    let routh_flow::Sector { width, slope, along, rate, rises, .. } = *made;
    let [width, slope, along, rate] = [width, slope, along, rate].map(real);
    let [direction, limit] = [made.direction, made.limit].map(|e| {
        let e = e.map(real);
        quote!([#(#e),*])
    });
    let rows = made.rows[..=degree].iter().map(|row| {
        let row = row.map(real);
        quote!([#(#row),*])
    });
    let passage = match made.passage {
        Passage::Through => quote!(Passage::Through),
        Passage::Outward => quote!(Passage::Outward),
        Passage::Inward => quote!(Passage::Inward),
        Passage::Refused => quote!(Passage::Refused),
    };
    let [below, above] = made.next.map(|next| emit::index(next as usize));
    quote!(Sector {
        direction: #direction,
        limit: #limit,
        width: #width,
        slope: #slope,
        along: #along,
        rate: #rate,
        rows: [#(#rows),*],
        passage: #passage,
        rises: #rises,
        next: [#below, #above],
    })
}

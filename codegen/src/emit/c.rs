//! Rust as C99 that does the same floating-point operations in the same order.
//!
//! It prints plain functions, structures with named fields, enumerations without
//! data, constants, and the methods, functions and constants of `impl Type`. Values
//! are reals, `bool`, `usize`, `u32`, `i32`, `u64`, `i64`, fixed arrays, tuples,
//! `Option` and `Result` of such, and structures and enumerations. A reference is a
//! parameter or another name of a place. Everything else is refused by name:
//! generics, traits, closures, slices, labels, iterators other than those of ranges
//! and arrays, guards, `break` with a value, structure update.
//!
//! `check` lowers a function to a `tree` with the types that Rust infers, in
//! which patterns are tests and `?`, `if let`, `let … else`, `matches!` and `for`
//! are branches and counting loops. `print` writes the tree as C. C leaves the order
//! of operands open: where one changes what another reads, `check` refuses them.
//!
//! Where Rust would stop or wrap, C is undefined: indices out of bounds,
//! overflow of signed integers, and casts of reals to integers too small for
//! them must not occur. The sign of a zero that `min` or `max` gives is open, as
//! in Rust. The printed file tells compilers not to fuse products and sums,
//! whatever their flags, and does not compile with `-ffast-math`, with
//! `-fsingle-precision-constant` or where numbers have more digits than their types.

mod check;
mod declarations;
mod inventory;
mod items;
mod layout;
mod lengths;
mod names;
mod prepared;
mod print;
mod scope;
mod shapes;
mod symbols;
mod tree;
mod types;
mod value;

use quote::ToTokens;
use syn::File;

use self::inventory::Inventory;
use self::items::Items;
use self::layout::{Lines, comment};
pub(crate) use self::names::snake_case;
use self::symbols::{Symbols, words};
use crate::{Error, Precision};

/// A header and the source that implements it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sources {
    /// `PREFIX.h`
    pub header: String,
    /// `PREFIX.c`
    pub source: String,
}

/// Prints a file as C99.
///
/// Public items are declared in the header under names that start with the
/// prefix; the others are `static`. `sqrt`, `sin`, `cos`, `exp`, `exp_m1`,
/// `ln`, `ln_1p`, `bits` and `from_bits` are C's own. Both files begin with `head`
/// as a comment.
///
/// ```
/// use routh_codegen::{Precision, emit};
///
/// let file = syn::parse_str("pub fn twice(x: Real) -> Real { 2.0 * x }")?;
/// let c = emit::c::print(&file, "arm", Precision::F32, "An example.")?;
/// assert!(c.header.contains("float arm_twice(float x);"));
/// assert!(c.source.contains("return 2.0f * x;"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error::Untranslatable`] for what is outside the part of Rust above,
/// [`Error::Name`] for a prefix that is no name in C.
pub fn print(
    file: &File,
    prefix: &str,
    precision: Precision,
    head: &str,
) -> Result<Sources, Error> {
    let letters = prefix.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !letters || !prefix.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return Err(Error::Name(prefix.to_owned()));
    }
    if let Some(name) = words(file).into_iter().find(|name| !name.is_ascii()) {
        return Err(Error::Name(name));
    }
    let file = &prepared::prepared(file)?;
    let inventory = &Inventory::take(file)?;
    let symbols = &Symbols::collect(file, inventory, prefix, precision)?;
    let items = Items { file, inventory, symbols };
    items.check()?;
    let head = match head.lines().collect::<Vec<_>>() {
        lines if lines.is_empty() => String::new(),
        lines => comment("/*", lines.into_iter(), 0) + "\n",
    };
    let definitions = items.definitions()?;
    let mut shown = items.declarations(true)?;
    shown.blank();
    shown.append(items.prototypes()?);
    let hidden = items.declarations(false)?;
    let source = source(prefix, precision, &shown, hidden, definitions);
    Ok(Sources {
        header: format!("{head}{}", header(prefix, shown)),
        source: format!("{head}{source}"),
    })
}

/// Headers of the standard library, and the words for which they are included.
const LIBRARY: [(&str, &str); 6] = [
    ("float.h", "DBL_EPSILON DBL_MAX DBL_MIN FLT_EPSILON FLT_MAX FLT_MIN"),
    (
        "math.h",
        "sqrt sin cos exp expm1 log log1p fabs copysign floor ceil trunc sqrtf sinf cosf expf \
         expm1f logf log1pf fabsf copysignf floorf ceilf truncf isfinite isnan signbit INFINITY NAN",
    ),
    ("stdbool.h", "bool true false"),
    ("stddef.h", "size_t"),
    (
        "stdint.h",
        "uint32_t int32_t uint64_t int64_t UINT64_C INT64_C SIZE_MAX UINT32_MAX INT32_MAX \
         UINT64_MAX INT64_MAX",
    ),
    ("string.h", "memcpy memmove"),
];

fn included(lines: &Lines) -> impl Iterator<Item = &'static str> {
    let uses = |words: &str| words.split_whitespace().any(|word| lines.uses(word));
    let used: Vec<_> = LIBRARY.into_iter().filter(|(_, words)| uses(words)).collect();
    used.into_iter().map(|(header, _)| header)
}

/// The macro that says that a header was read.
fn guard(prefix: &str) -> String {
    format!("{}_H", prefix.to_uppercase())
}

fn header(prefix: &str, shown: Lines) -> String {
    let guard = guard(prefix);
    let includes: String = included(&shown).map(|name| format!("#include <{name}>\n")).collect();
    let includes = if includes.is_empty() { includes } else { includes + "\n" };
    let shown = shown.into_text();
    format!(
        "#ifndef {guard}\n#define {guard}\n\n{includes}\
         #ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n{}\n\n\
         #ifdef __cplusplus\n}}\n#endif\n\n#endif\n",
        shown.trim_matches('\n')
    )
}

fn source(
    prefix: &str,
    precision: Precision,
    shown: &Lines,
    hidden: Lines,
    definitions: Lines,
) -> String {
    let mut helpers = Lines::default();
    bit_casts(&mut helpers, &definitions, precision);
    let mut body = hidden;
    if !body.is_empty() && !helpers.is_empty() {
        body.blank();
    }
    body.append(helpers);
    body.blank();
    body.append(definitions);
    let known: Vec<_> = included(shown).collect();
    let includes = included(&body).filter(|name| !known.contains(name) && *name != "float.h");
    let includes = std::iter::once("float.h").chain(includes);
    let includes: String = includes.map(|name| format!("#include <{name}>\n")).collect();
    let body = body.into_text();
    let body = body.trim_matches('\n');
    let literals = match precision {
        Precision::F64 => LITERALS,
        Precision::F32 => "",
    };
    format!("#include \"{prefix}.h\"\n\n{includes}\n{ARITHMETIC}{literals}\n{body}\n")
}

/// Refuses to compile where arithmetic is not IEEE 754's (16 is 0 where there are numbers
/// of 16 bits), and forbids to fuse a product with a sum. gcc's vectorisers fuse rotations even then (seen in gcc 12),
/// so they have no such instructions, or are off where these come with others.
const ARITHMETIC: &str = "\
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) \\
        || defined(__NO_SIGNED_ZEROS__) || defined(_M_FP_FAST)
#error \"Results must be exact: compile without -ffast-math\"
#endif
#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
#error \"Infinities must stay: compile without -ffinite-math-only\"
#endif
#if !defined(FLT_EVAL_METHOD) || (FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16)
#error \"Numbers must not have excess digits: compile with -msse2 -mfpmath=sse\"
#endif
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#elif defined(__GNUC__)
#pragma GCC optimize(\"fp-contract=off\")
#if (defined(__x86_64__) || defined(__i386__)) && !defined(__AVX512F__)
#pragma GCC target(\"no-fma,no-fma4\")
#else
#pragma GCC optimize(\"no-tree-slp-vectorize\", \"no-tree-loop-vectorize\")
#endif
#endif
";

/// Refuses to compile where literals are of less precision than doubles; no macro says so.
const LITERALS: &str = "\
typedef char compile_without_single_precision_constant[sizeof(1.0) == sizeof(double) ? 1 : -1];
";

/// Reals as their bits and back, for those that are used.
fn bit_casts(lines: &mut Lines, definitions: &Lines, precision: Precision) {
    let real = precision.c_type();
    let bits = match precision {
        Precision::F64 => "uint64_t",
        Precision::F32 => "uint32_t",
    };
    for (name, from, to) in [("bits_of", real, bits), ("real_of_bits", bits, real)] {
        if definitions.uses(name) {
            lines.blank();
            lines.code(&format!("static {to} {name}({from} x)"));
            lines.raw("{");
            lines.append(bit_cast(to));
            lines.raw("}");
        }
    }
}

fn bit_cast(to: &str) -> Lines {
    let mut body = Lines::at_depth(1);
    body.code(&format!("{to} y;"));
    body.code("memcpy(&y, &x, sizeof y);");
    body.code("return y;");
    body
}

/// Refuses a piece of code, which the message shows.
fn no_c(construct: &(impl ToTokens + ?Sized), reason: impl Into<String>) -> Error {
    let mut construct = construct.to_token_stream().to_string();
    if let Some((end, _)) = construct.char_indices().nth(120) {
        construct.truncate(end);
        construct.push('…');
    }
    Error::Untranslatable { construct, reason: reason.into() }
}

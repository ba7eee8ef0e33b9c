//! JSON text to checked values; what is wrong is told by field and value.

mod chain;
mod contacts;
mod documents;
mod impact;
mod landing;
mod rejection;
mod sliding;

pub(crate) use chain::NamedChain;
pub(crate) use contacts::Simultaneous;
pub(crate) use documents::{Document, Documents};
pub(crate) use impact::{Collision, Impact, Robot};
pub(crate) use landing::{Falling, has_contacts};
pub(crate) use rejection::Rejection;
pub(crate) use sliding::{Sliding, SlidingContact};

use std::borrow::Cow;
use std::fmt::Display;

use routh::{Error, Field};
use serde::{Deserialize, Deserializer, de};
use serde_json::error::Category;
use serde_json::value::RawValue;

/// A type for a value that is read from its text as it stands in the input.
macro_rules! literal {
    ($(#[$attribute:meta])* $type:ident, $of:ident, $expected:literal) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug)]
        struct $type($of);

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <&RawValue>::deserialize(deserializer)?.get();
                let found = || format!("expected {}, found {}", $expected, shortened(text, 40));
                text.parse().map(Self).map_err(|_| de::Error::custom(found()))
            }
        }
    };
}

literal!(
    /// A number; one too large for floating point is infinite.
    Number, f64, "a number"
);
literal!(
    /// A number of things.
    Count, usize, "a whole number"
);

/// A type for one of several things that is given by its name.
macro_rules! named {
    ($type:ident, $of:ident, $what:literal) => {
        #[derive(Clone, Copy, Deserialize)]
        #[serde(try_from = "String")]
        pub(super) struct $type(pub(super) $of);

        impl TryFrom<String> for $type {
            type Error = String;

            fn try_from(name: String) -> Result<Self, String> {
                let found = $of::ALL.into_iter().find(|one| one.name() == name);
                found.map(Self).ok_or_else(|| {
                    let (name, names) =
                        ($crate::input::shortened(&name, 40), $of::ALL.map($of::name));
                    format!("unknown {} {name}, expected one of {}", $what, names.join(", "))
                })
            }
        }
    };
}
use named;

/// One number, or something else in its place.
enum OneOr<T> {
    One(f64),
    Other(T),
}

impl<'a, T: Deserialize<'a>> OneOr<T> {
    /// Reads the value of a field; what is not a number begins with a bracket of its kind.
    fn read(
        name: &str,
        given: &'a RawValue,
        bracket: char,
        expected: &str,
    ) -> Result<Self, Rejection> {
        let text = given.get();
        if text.starts_with(bracket) {
            return value(text, name, 1).map(Self::Other);
        }
        text.parse().map(Self::One).map_err(|_| {
            let found = shortened(text, 40);
            malformed(name, format_args!("expected a number or {expected}, found {found}"))
        })
    }
}

type Vector = Vec<Number>;
type Matrix = Vec<Vector>;

/// The object that a document consists of.
fn whole<'a, T: Deserialize<'a>>(document: Document<'a>) -> Result<T, Rejection> {
    let text = str::from_utf8(document.text).map_err(|error| {
        let (good, bad) = document.text.split_at(error.valid_up_to());
        let byte = bad.first().copied().unwrap_or_default();
        let line = document.line + good.iter().filter(|&&byte| byte == b'\n').count();
        let column = good.iter().rev().take_while(|&&byte| byte != b'\n').count() + 1;
        malformed("", format_args!("byte {byte:#04x} is not UTF-8 at line {line} column {column}"))
    })?;
    object(text, "", document.line)
}

/// The object that the value of a field consists of.
fn part<'a, T: Deserialize<'a>>(name: &str, value: &'a RawValue) -> Result<T, Rejection> {
    object(value.get(), name, 1)
}

/// The object in a text that is the value of the named field, if it has a name,
/// and begins on the given line.
fn object<'a, T: Deserialize<'a>>(text: &'a str, name: &str, line: usize) -> Result<T, Rejection> {
    let text = text.trim_ascii_end();
    if !text.trim_ascii_start().starts_with('{') {
        let found = shortened(text.trim_ascii_start(), 40);
        return Err(malformed(name, format_args!("expected an object, found {found}")));
    }
    value(text, name, line)
}

/// The value in a text likewise.
fn value<'a, T: Deserialize<'a>>(text: &'a str, name: &str, line: usize) -> Result<T, Rejection> {
    let mut json = serde_json::Deserializer::from_str(text);
    let parsed = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        // The path reads `.` where it is empty and ends in `?` where a key is
        // not complete.
        let path = format!("{name}.{}", error.path()).replace(".[", "[");
        malformed(path.trim_matches(['.', '?']), reason(error.inner(), line))
    })?;
    json.end().map_err(|error| malformed(name, reason(&error, line)))?;
    Ok(parsed)
}

/// What a parser says; where it says it only if the field does not tell.
fn reason(error: &serde_json::Error, line: usize) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let what = text.strip_suffix(&place).unwrap_or(&text);
    match error.classify() {
        Category::Data => what.to_owned(),
        _ => format!("{what} at line {} column {}", line + error.line() - 1, error.column()),
    }
}

fn malformed(path: &str, reason: impl Display) -> Rejection {
    let message = match path {
        "" => reason.to_string(),
        _ => format!("{}: {reason}", shortened(path, 60)),
    };
    Rejection::Malformed(shortened(&message, 240).into_owned())
}

/// The beginning and the end of a text that has more than so many characters.
fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    let head = text.char_indices().nth(2 * most / 3);
    let tail = text.char_indices().rev().nth(most / 3);
    match (head, tail) {
        (Some((head, _)), Some((tail, _))) if head < tail => {
            format!("{}…{}", &text[..head], &text[tail..]).into()
        }
        _ => text.into(),
    }
}

/// Checks a size.
fn sized(field: Field, found: usize, expected: usize) -> Result<(), Error> {
    if found == expected { Ok(()) } else { Err(Error::WrongDimension { field, expected, found }) }
}

/// Checks the length of every row.
fn columns(name: &'static str, matrix: &Matrix, expected: usize) -> Result<(), Error> {
    let mut rows = matrix.iter().enumerate();
    rows.try_for_each(|(i, row)| sized(Field::entry(name, i), row.len(), expected))
}

fn vector<const N: usize>(field: Field, vector: &Vector) -> Result<[f64; N], Error> {
    let wrong = |_| Error::WrongDimension { field, expected: N, found: vector.len() };
    <[Number; N]>::try_from(&vector[..]).map(|array| array.map(|Number(x)| x)).map_err(wrong)
}

fn square<const N: usize>(name: &'static str, matrix: &Matrix) -> Result<[[f64; N]; N], Error> {
    sized(Field::new(name), matrix.len(), N)?;
    let mut rows = [[0.0; N]; N];
    for (i, (row, given)) in rows.iter_mut().zip(matrix).enumerate() {
        *row = vector(Field::entry(name, i), given)?;
    }
    Ok(rows)
}

/// Checks that all entries are finite.
fn finite(name: &'static str, vector: &[f64]) -> Result<(), Error> {
    match vector.iter().enumerate().find(|(_, value)| !value.is_finite()) {
        None => Ok(()),
        Some((i, &value)) => Err(Error::NotFinite { field: Field::entry(name, i), value }),
    }
}

//! Types of the subset, and how C declares things of them.

use super::symbols::Symbols;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Integer {
    Usize,
    U32,
    I32,
    U64,
    I64,
}

impl Integer {
    /// Each with its name in Rust and in C.
    const ALL: [(Self, &str, &str); 5] = [
        (Self::Usize, "usize", "size_t"),
        (Self::U32, "u32", "uint32_t"),
        (Self::I32, "i32", "int32_t"),
        (Self::U64, "u64", "uint64_t"),
        (Self::I64, "i64", "int64_t"),
    ];

    pub(super) fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|entry| entry.1 == name).map(|entry| entry.0)
    }

    pub(super) fn is_signed(self) -> bool {
        matches!(self, Self::I32 | Self::I64)
    }

    fn names(self) -> (&'static str, &'static str) {
        let entry = Self::ALL.into_iter().find(|entry| entry.0 == self);
        entry.map_or(("", ""), |(_, name, c_name)| (name, c_name))
    }

    /// Its largest value as a macro of `stdint.h`.
    pub(super) fn c_max(self) -> String {
        self.names().1.trim_end_matches("_t").to_uppercase() + "_MAX"
    }

    /// A literal of this type, where arithmetic with it has at least its width.
    /// Small lengths stay bare, since what they meet is a length too.
    pub(super) fn literal(self, digits: &str, value: u64) -> String {
        match self {
            Self::Usize if value > i32::MAX as u64 => format!("(size_t)UINT64_C({digits})"),
            Self::Usize | Self::I32 => digits.to_owned(),
            Self::U32 => format!("{digits}U"),
            Self::U64 => format!("UINT64_C({digits})"),
            Self::I64 => format!("INT64_C({digits})"),
        }
    }
}

/// The length of an array: its value and how C writes it.
#[derive(Clone, Debug)]
pub(super) struct Length {
    pub(super) value: usize,
    pub(super) text: String,
}

impl PartialEq for Length {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Type {
    Unit,
    Real,
    Bool,
    Integer(Integer),
    /// What is declared as a type in C, by its name there.
    Named(String),
    Option(Box<Type>),
    Result(Box<Type>, Box<Type>),
    Tuple(Vec<Type>),
    Array(Box<Type>, Length),
    /// Of what never is, since control leaves before.
    Never,
    /// Not yet known.
    Unknown(usize),
    Reference {
        mutable: bool,
        to: Box<Type>,
    },
}

impl Type {
    pub(super) const USIZE: Self = Self::Integer(Integer::Usize);

    pub(super) fn is_array(&self) -> bool {
        matches!(self, Self::Array(..))
    }

    /// An array of arrays, which C99 cannot pass as `const` without a cast.
    pub(super) fn is_nested_array(&self) -> bool {
        matches!(self, Self::Array(element, _) if element.is_array())
    }

    /// How many values that are no arrays it holds.
    pub(super) fn count(&self) -> usize {
        match self {
            Self::Array(element, length) => length.value.saturating_mul(element.count()),
            _ => 1,
        }
    }

    /// What a reference refers to; other types themselves.
    pub(super) fn referent(&self) -> &Self {
        match self {
            Self::Reference { to, .. } => to,
            other => other,
        }
    }

    /// Whether what is reached through this is `const` in C.
    pub(super) fn is_read_only(&self) -> bool {
        matches!(self, Self::Reference { mutable: false, to } if !to.is_nested_array())
    }

    /// A reference through which something may change.
    pub(super) fn is_changed(&self) -> bool {
        matches!(self, Self::Reference { mutable: true, .. })
    }

    /// `double name[3][2]`; without a name the type alone.
    pub(super) fn declare(&self, name: &str, symbols: &Symbols) -> String {
        let (base, bounds) = self.base(symbols);
        let name = format!("{name}{bounds}");
        match self {
            Self::Reference { mutable, to } => {
                let constant = if *mutable || to.is_nested_array() { "" } else { "const " };
                let pointer = if to.is_array() { "" } else { "*" };
                format!("{constant}{base} {pointer}{name}")
            }
            _ if name.is_empty() => base,
            _ if name.starts_with('[') => format!("{base}{name}"),
            _ => format!("{base} {name}"),
        }
    }

    /// A parameter of this type: an array that is passed by value is not changed.
    pub(super) fn declare_parameter(&self, name: &str, symbols: &Symbols) -> String {
        let constant = if self.is_array() && !self.is_nested_array() { "const " } else { "" };
        format!("{constant}{}", self.declare(name, symbols))
    }

    /// `double (*name)[2]`: what an array of arrays is passed as.
    pub(super) fn row_pointer(&self, name: &str, symbols: &Symbols) -> String {
        let (base, bounds) = match self {
            Self::Array(row, _) => row.base(symbols),
            other => other.base(symbols),
        };
        format!("{base} (*{name}){bounds}")
    }

    /// What names of types made from this one call it.
    pub(super) fn stem(&self, symbols: &Symbols) -> String {
        match self {
            Self::Real => "real".to_owned(),
            Self::Bool => "bool".to_owned(),
            Self::Integer(integer) => integer.names().0.to_owned(),
            Self::Array(element, length) => format!("{}_{}", element.stem(symbols), length.value),
            Self::Reference { to, .. } => to.stem(symbols),
            ty => symbols.shape(ty).map_or_else(|| "unit".to_owned(), |shape| shape.stem.clone()),
        }
    }

    /// The type of elements, and the bounds of the array around them.
    fn base(&self, symbols: &Symbols) -> (String, String) {
        let name = match self {
            Self::Array(element, length) => {
                let (base, bounds) = element.base(symbols);
                return (base, format!("[{}]{bounds}", length.text));
            }
            Self::Reference { to, .. } => return to.base(symbols),
            Self::Unit | Self::Never | Self::Unknown(_) => "void",
            Self::Real => symbols.precision.c_type(),
            Self::Bool => "bool",
            Self::Integer(integer) => integer.names().1,
            Self::Named(name) => name,
            Self::Option(_) | Self::Result(..) | Self::Tuple(_) => {
                let shape = symbols.shape(self);
                return (shape.map_or_else(String::new, |s| s.c_name.clone()), String::new());
            }
        };
        (name.to_owned(), String::new())
    }
}

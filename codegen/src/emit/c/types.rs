//! Types of the subset, and how C declares things of them.

use crate::Precision;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Integer {
    Usize,
    U32,
    I32,
    U64,
    I64,
}

impl Integer {
    pub(super) fn of_name(name: &str) -> Option<Self> {
        Some(match name {
            "usize" => Self::Usize,
            "u32" => Self::U32,
            "i32" => Self::I32,
            "u64" => Self::U64,
            "i64" => Self::I64,
            _ => return None,
        })
    }

    pub(super) fn is_signed(self) -> bool {
        matches!(self, Self::I32 | Self::I64)
    }

    fn c_name(self) -> &'static str {
        match self {
            Self::Usize => "size_t",
            Self::U32 => "uint32_t",
            Self::I32 => "int32_t",
            Self::U64 => "uint64_t",
            Self::I64 => "int64_t",
        }
    }

    /// Its largest value as a macro of `stdint.h`.
    pub(super) fn c_max(self) -> &'static str {
        match self {
            Self::Usize => "SIZE_MAX",
            Self::U32 => "UINT32_MAX",
            Self::I32 => "INT32_MAX",
            Self::U64 => "UINT64_MAX",
            Self::I64 => "INT64_MAX",
        }
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
    /// A structure or an enumeration, by its name in C.
    Named(String),
    Array(Box<Type>, Length),
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

    /// `double name[3][2]`; without a name the type alone.
    pub(super) fn declare(&self, name: &str, precision: Precision) -> String {
        let (base, bounds) = self.base(precision);
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

    /// `double (*)[2]`: what an array of arrays is passed as.
    pub(super) fn row_pointer(&self, precision: Precision) -> String {
        let (base, bounds) = match self {
            Self::Array(row, _) => row.base(precision),
            other => other.base(precision),
        };
        format!("{base} (*){bounds}")
    }

    /// The type of elements, and the bounds of the array around them.
    fn base(&self, precision: Precision) -> (String, String) {
        let name = match self {
            Self::Array(element, length) => {
                let (base, bounds) = element.base(precision);
                return (base, format!("[{}]{bounds}", length.text));
            }
            Self::Reference { to, .. } => return to.base(precision),
            Self::Unit => "void",
            Self::Real => precision.c_type(),
            Self::Bool => "bool",
            Self::Integer(integer) => integer.c_name(),
            Self::Named(name) => name,
        };
        (name.to_owned(), String::new())
    }
}

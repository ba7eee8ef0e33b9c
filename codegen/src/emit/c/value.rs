//! An expression of C with what is known of it, and the rules by which
//! operands get parentheses.

use super::types::Type;

/// How tightly an expression of C holds together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Binding {
    Conditional,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equality,
    Relation,
    Shift,
    Sum,
    Product,
    Unary,
    Postfix,
}

impl Binding {
    fn is_binary(self) -> bool {
        self > Self::Conditional && self < Self::Unary
    }
}

#[derive(Clone)]
pub(super) struct Value {
    pub(super) text: String,
    pub(super) binding: Binding,
    pub(super) ty: Type,
    /// For a place behind a pointer, the pointer.
    pub(super) pointer: Option<String>,
    /// Whether it names a place in memory.
    pub(super) place: bool,
    /// Whether C holds that place for `const`.
    pub(super) read_only: bool,
    /// Whether nothing that runs can change it.
    pub(super) fixed: bool,
}

impl Value {
    pub(super) fn new(text: impl Into<String>, binding: Binding, ty: Type) -> Self {
        Self {
            text: text.into(),
            binding,
            ty,
            pointer: None,
            place: false,
            read_only: false,
            fixed: false,
        }
    }

    /// A place in memory.
    pub(super) fn place(text: impl Into<String>, ty: Type) -> Self {
        Self { place: true, ..Self::new(text, Binding::Postfix, ty) }
    }

    /// A place that is written once, before all else that is computed from it.
    pub(super) fn kept(text: impl Into<String>, ty: Type) -> Self {
        Self { fixed: true, ..Self::place(text, ty) }
    }

    /// Made from values: nothing can change it if nothing can change them.
    pub(super) fn made_from<'a>(self, parts: impl IntoIterator<Item = &'a Value>) -> Self {
        Self { fixed: parts.into_iter().all(|part| part.fixed), ..self }
    }

    pub(super) fn at_least(&self, binding: Binding) -> String {
        if self.binding < binding { format!("({})", self.text) } else { self.text.clone() }
    }

    /// The operand of a prefix operator, which must not run into another.
    pub(super) fn operand(&self, operator: &str) -> String {
        let text = self.at_least(Binding::Unary);
        if text.starts_with(operator) { format!("({text})") } else { text }
    }

    pub(super) fn as_left(&self, operator: &str, binding: Binding) -> String {
        let same = self.binding == binding && chains(operator);
        if self.binding < binding || !same && self.is_doubtful(binding) {
            format!("({})", self.text)
        } else {
            self.text.clone()
        }
    }

    pub(super) fn as_right(&self, binding: Binding) -> String {
        if self.binding <= binding || self.is_doubtful(binding) {
            format!("({})", self.text)
        } else {
            self.text.clone()
        }
    }

    /// Whether a reader could group this operand otherwise, which compilers
    /// warn of: operators in shifts and bit operations, comparisons of
    /// comparisons, `&&` in `||`, and comparisons of `!x`.
    fn is_doubtful(&self, outer: Binding) -> bool {
        match outer {
            Binding::Shift | Binding::BitAnd | Binding::BitXor | Binding::BitOr => {
                self.binding.is_binary() || self.text.starts_with('!')
            }
            Binding::Equality | Binding::Relation => {
                self.binding <= Binding::Relation || self.text.starts_with('!')
            }
            Binding::Or => self.binding == Binding::And,
            _ => false,
        }
    }
}

/// Whether `a op b op c` may stand without parentheses.
fn chains(operator: &str) -> bool {
    matches!(operator, "+" | "-" | "*" | "/" | "%" | "&&" | "||" | "&" | "|" | "^")
}

//! Locals of a function. C would read `let x = x + 1` as `x` of itself, so a
//! local that shadows another gets a name of its own.

use std::collections::{BTreeMap, BTreeSet};

use super::names;
use super::types::Type;

#[derive(Clone)]
pub(super) struct Local {
    pub(super) c_name: String,
    pub(super) ty: Type,
    pub(super) mutable: bool,
}

#[derive(Clone, Default)]
struct Frame {
    locals: BTreeMap<String, Local>,
    names: BTreeSet<String>,
}

#[derive(Clone)]
pub(super) struct Scope {
    frames: Vec<Frame>,
}

impl Scope {
    pub(super) fn new() -> Self {
        Self { frames: vec![Frame::default()] }
    }

    pub(super) fn enter(&mut self) {
        self.frames.push(Frame::default());
    }

    pub(super) fn leave(&mut self) {
        self.frames.pop();
    }

    pub(super) fn find(&self, name: &str) -> Option<&Local> {
        self.frames.iter().rev().find_map(|frame| frame.locals.get(name))
    }

    /// A name of C for a local that is not yet visible.
    pub(super) fn reserve(&mut self, name: &str, taken: impl Fn(&str) -> bool) -> String {
        let used = |n: &str| self.frames.iter().any(|frame| frame.names.contains(n));
        let stem = names::freed(name, &taken);
        let numbered = (2..).map(|i| format!("{stem}_{i}"));
        let free = std::iter::once(stem.clone()).chain(numbered).find(|n| !used(n) && !taken(n));
        let free = free.unwrap_or(stem);
        if let Some(frame) = self.frames.last_mut() {
            frame.names.insert(free.clone());
        }
        free
    }

    pub(super) fn bind(&mut self, name: &str, local: Local) {
        if let Some(frame) = self.frames.last_mut() {
            frame.locals.insert(name.to_owned(), local);
        }
    }
}

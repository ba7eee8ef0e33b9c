//! Names of locals in C, block by block. C would read `let x = x + 1` as `x` of
//! itself, so a local that shadows another gets a name of its own.

use std::collections::BTreeSet;

use super::names;

pub(super) struct Scope {
    frames: Vec<BTreeSet<String>>,
}

impl Scope {
    pub(super) fn new() -> Self {
        Self { frames: vec![BTreeSet::new()] }
    }

    pub(super) fn enter(&mut self) {
        self.frames.push(BTreeSet::new());
    }

    pub(super) fn leave(&mut self) {
        self.frames.pop();
    }

    /// A name of C for a local.
    pub(super) fn reserve(&mut self, name: &str, taken: impl Fn(&str) -> bool) -> String {
        let used = |n: &str| self.frames.iter().any(|frame| frame.contains(n));
        let stem = names::freed(name, &taken);
        let numbered = (2..).map(|i| format!("{stem}_{i}"));
        let free = std::iter::once(stem.clone()).chain(numbered).find(|n| !used(n) && !taken(n));
        let free = free.unwrap_or(stem);
        if let Some(frame) = self.frames.last_mut() {
            frame.insert(free.clone());
        }
        free
    }
}

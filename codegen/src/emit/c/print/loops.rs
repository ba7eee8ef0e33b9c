//! Loops.

use super::super::tree::{Count, Tree};
use super::super::value::{Binding, Value};
use super::branches::negated;
use super::{Printer, Sink};

impl Printer<'_> {
    pub(super) fn forever(&mut self, body: &Tree) {
        self.lines.open("for (;;) {");
        self.inside(body, &Sink::Discard);
        self.lines.close("}");
    }

    /// Where the condition needs statements before it, it leaves the loop from
    /// inside.
    pub(super) fn during(&mut self, pair: &[Tree; 2]) {
        let alone = !self.needs_lines(&pair[0]);
        self.scope.enter();
        match alone {
            true => {
                let condition = self.value(&pair[0]);
                self.lines.open(&format!("while ({}) {{", condition.text));
            }
            false => {
                self.lines.open("for (;;) {");
                let condition = self.value(&pair[0]);
                self.lines.open(&format!("if ({}) {{", negated(&condition)));
                self.lines.code("break;");
                self.lines.close("}");
            }
        }
        self.inside(&pair[1], &Sink::Discard);
        self.lines.close("}");
        self.scope.leave();
    }

    /// Rust computes both ends once, C the one in the condition every time.
    pub(super) fn counting(&mut self, count: &Count) {
        let Count { id, ends, inclusive, backwards, body } = count;
        let [start, end] = [self.value(&ends[0]), self.value(&ends[1])];
        let local = self.locals[*id].clone();
        self.scope.enter();
        let i = self.reserve(&local.name);
        let declaration = self.declared_as(&local.ty, &i);
        // The end that C computes again is kept if it may change.
        let (first, again, suffix) = match backwards {
            false => (start.text.clone(), end, "end"),
            true if *inclusive => {
                (format!("{} + 1", end.as_left("+", Binding::Sum)), start, "start")
            }
            true => (end.text.clone(), start, "start"),
        };
        let (kept, bound) = match again.fixed {
            true => (String::new(), again.at_least(Binding::Shift)),
            false => {
                let name = self.reserve(&format!("{i}_{suffix}"));
                (format!(", {name} = {}", again.text), name)
            }
        };
        let turn = match (backwards, inclusive) {
            (false, false) => format!("{i} < {bound}; {i}++"),
            (false, true) => format!("{i} <= {bound}; {i}++"),
            (true, _) => format!("{i}-- > {bound};"),
        };
        let opening = format!("for ({declaration} = {first}{kept}; {turn}) {{");
        self.lines.open(&opening);
        self.places[*id] = Some(Value::kept(i, local.ty));
        self.inside(body, &Sink::Discard);
        self.lines.close("}");
        self.scope.leave();
    }
}

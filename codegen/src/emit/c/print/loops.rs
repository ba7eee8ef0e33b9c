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
        let opening = match backwards {
            false => self.upwards(&i, &declaration, &start, &end, *inclusive),
            true => self.downwards(&i, &declaration, &start, &end, *inclusive),
        };
        self.lines.open(&opening);
        self.places[*id] = Some(Value::kept(i, local.ty));
        self.inside(body, &Sink::Discard);
        self.lines.close("}");
        self.scope.leave();
    }

    fn upwards(
        &mut self,
        i: &str,
        declaration: &str,
        start: &Value,
        end: &Value,
        inclusive: bool,
    ) -> String {
        let start = &start.text;
        let below = if inclusive { "<=" } else { "<" };
        if end.fixed {
            let end = end.at_least(Binding::Shift);
            return format!("for ({declaration} = {start}; {i} {below} {end}; {i}++) {{");
        }
        let fixed = self.reserve(&format!("{i}_end"));
        let end = &end.text;
        format!("for ({declaration} = {start}, {fixed} = {end}; {i} {below} {fixed}; {i}++) {{")
    }

    fn downwards(
        &mut self,
        i: &str,
        declaration: &str,
        start: &Value,
        end: &Value,
        inclusive: bool,
    ) -> String {
        let end = match inclusive {
            true => format!("{} + 1", end.as_left("+", Binding::Sum)),
            false => end.text.clone(),
        };
        if start.fixed {
            let start = start.at_least(Binding::Shift);
            return format!("for ({declaration} = {end}; {i}-- > {start};) {{");
        }
        let fixed = self.reserve(&format!("{i}_start"));
        let start = &start.text;
        format!("for ({declaration} = {end}, {fixed} = {start}; {i}-- > {fixed};) {{")
    }
}

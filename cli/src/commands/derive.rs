//! `routh derive`: what was derived, as a person reads it.

use std::io::{self, Write};

use clap::Args;
use clap::builder::RangedU64ValueParser;
use routh_codegen::Error;
use routh_codegen::derivations::{CLOSED_FORM_ORDER, Derivations};
use routh_codegen::program::{ORDERS, ScalarProgram, SeriesProgram, render_scalars, render_series};
use routh_codegen::specialise::{Bindings, specialise_scalars};

use crate::output::Failure;

/// Print the derived formulas: recurrences, coefficients a_k and d_k, planar forms
///
/// Prints the recurrences of the sliding motion, in the regularising variable
/// tau and in the normal impulse p, with the operations that one expansion
/// takes; its coefficients a_k and d_k in closed form; the parts of compliant
/// contacts, and of several in space; and the closed forms of the planar impact for every mode and law of
/// restitution.
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = EXAMPLES)]
pub(crate) struct Derive {
    /// Order to show coefficients and count operations to, 2 to 64
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = orders())]
    order: usize,
}

const EXAMPLES: &str = "\
Examples:
  routh derive
  routh derive --order 3";

fn orders() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(*ORDERS.start() as u64..=*ORDERS.end() as u64)
}

impl Derive {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let text = self.text(&Derivations::committed()?)?;
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Failure::Write)
    }

    fn text(&self, derivations: &Derivations) -> Result<String, Error> {
        let mut text = [
            heading("Sliding in tau"),
            "The slip (vt1, vt2) and all that follows from it, with dp = |vt| dtau: regular where\n\
             sliding halts. In the principal axes D = [a h1 h2; h1 b1 0; h2 0 b2],\n\
             friction mu; p, it1, it2 are the impulse, wn and wt the works of the normal force\n\
             and of friction. x[k] is the coefficient of tau^k in x.\n\n"
                .to_owned(),
            self.series(&derivations.regularised),
            heading("Sliding in p"),
            "The same in the normal impulse p itself, D = [a h1 h2; h1 b11 b12; h2 b12 b22];\n\
             x[k] is the coefficient of p^k in x.\n\n"
                .to_owned(),
            self.series(&derivations.sliding),
            heading("Coefficients in closed form"),
            "vt1 = a0 + a1 p + a2 p^2 + ... and vt2 = d0 + d1 p + d2 p^2 + ...\n\n".to_owned(),
            self.coefficients(&derivations.coefficients)?,
            heading("Compliant contacts"),
            "Parts of one system in zeta, each given the series it is named with: the clock, whose\n\
             root s = sqrt(xi) sets the pace q = dt/dzeta = g s; the approach of any contact; impulse p\n\
             and work wn of the clock and of any other contact with stiffness kappa and damping\n\
             lambda; the work wt of friction, z being the rate of its impulse.\n\n"
                .to_owned(),
            derivations.compliant.iter().map(|part| self.part(part)).collect(),
            heading("Several contacts in space"),
            "Parts of one system in zeta, with pace q = dt/dzeta: indentation x of a contact with normal\n\
             velocity v, c = -1 while it loads and -1/e^2 while it unloads; its root s where that sets the\n\
             pace, h = c/2; its impulse p with stiffness kappa, from either or by a linear law; the speed l\n\
             of its slip; impulse p1, p2 and work w of friction, m = -mu, r being the rate of p.\n\n"
                .to_owned(),
            derivations.several.iter().map(|part| self.part(part)).collect(),
            heading("Planar impacts"),
            "D = [a c; c b], friction mu, restitution e, velocity (vn, vt) before impact, sigma\n\
             the sign of vt. A slip out of rest is permanent_sliding with the sign of c.\n"
                .to_owned(),
        ]
        .concat();
        for form in &derivations.planar {
            text += &format!("\n{}, {}\n", form.mode.name(), form.law.name());
            text += &indented(&render_scalars(&form.program));
        }
        Ok(text)
    }

    fn series(&self, program: &SeriesProgram) -> String {
        let formulas = indented(&render_series(program));
        format!("{formulas}\nTo order {}: {}.\n\n", self.order, program.operations(self.order))
    }

    fn part(&self, part: &SeriesProgram) -> String {
        format!("{}, given {}\n{}", part.name, part.given.join(", "), self.series(part))
    }

    fn coefficients(&self, all: &ScalarProgram) -> Result<String, Error> {
        let last = self.order.min(CLOSED_FORM_ORDER);
        let program = specialise_scalars(&up_to(all, last), &Bindings::new())?;
        let formulas = indented(&render_scalars(&program));
        let operations = program.graph.operations();
        let mut text = format!("{formulas}\nTo order {last}: {operations}.\n");
        if last < self.order {
            text += &format!("From k = {} on, the recurrences above give the rest.\n", last + 1);
        }
        text.push('\n');
        Ok(text)
    }
}

/// The coefficients up to an order, `a_k` before `d_k`.
fn up_to(all: &ScalarProgram, order: usize) -> ScalarProgram {
    let names = (1..=order).flat_map(|k| [format!("a{k}"), format!("d{k}")]);
    let output = |name| all.outputs.iter().find(|(output, _)| *output == name).cloned();
    ScalarProgram { outputs: names.filter_map(output).collect(), ..all.clone() }
}

fn heading(title: &str) -> String {
    format!("{title}\n{}\n", "-".repeat(title.len()))
}

fn indented(lines: &str) -> String {
    lines.lines().map(|line| format!("  {line}\n")).collect()
}

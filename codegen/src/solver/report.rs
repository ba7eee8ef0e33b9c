//! What was generated and how well it does: a page beside the code, and a few
//! lines on the terminal.

use super::code::{Code, Method};
use super::head::table_sizes;
use super::trial::samples::Samples;
use crate::robot::{Body, Language, Plan};

/// `REPORT.md`.
pub(super) fn report(plan: &Plan, code: &Code, samples: &Samples, language: Language) -> String {
    let Plan { name, tolerance, friction: [fixed, kinetic], law, e, precision, .. } = plan;
    let language = match language {
        Language::Rust => "Rust",
        Language::C => "C99",
    };
    let mut text = format!(
        "# {name}\n\n{language}, {precision}, {}. Input SHA-256 `{}`.\n\n\
         Friction: static {fixed:?}, kinetic {kinetic:?}. Restitution: {}, e = {e:?}.\n",
        kind(code),
        plan.digest,
        law.name(),
    );
    let arguments: Vec<_> = code.arguments.iter().map(|a| format!("`{}`", a.name)).collect();
    text += &format!("Arguments of `impact`: {}.\n\n", arguments.join(", "));
    if !code.parts.is_empty() {
        text +=
            "## Operations\n\n| part | + | * | / | functions | all |\n|---|---|---|---|---|---|\n";
    }
    for (part, count) in &code.parts {
        text += &format!(
            "| {part} | {} | {} | {} | {} | {} |\n",
            count.additions,
            count.multiplications,
            count.divisions,
            count.functions,
            count.total()
        );
    }
    let gap = if code.parts.is_empty() { "" } else { "\n" };
    text += &format!("{gap}Stack: at most {} bytes in an optimised build.\n", code.stack);
    if let Method::Flow(tables) = &code.method {
        text += &format!(
            "Tables: {}; {} sectors, functions of degree {}.\n",
            table_sizes(tables),
            tables.sectors.len(),
            tables.degree
        );
    }
    text += "\n## Sampled impacts\n\n";
    let Samples { tried, compared, worst_error, most_steps, .. } = samples;
    text += &format!(
        "{tried} impacts were tried with the same runtime, its kernel interpreted. {compared} of \
         them were\ncompared with a reference: series of order 32 in small steps, events by \
         bisection.\n\n- largest error of velocities and impulses, relative to the largest of \
         each: {worst_error:.1e}\n",
    );
    match &code.method {
        Method::ClosedForms => {}
        Method::Series { .. } => {
            text += &format!(
                "- tolerance of the series: {tolerance:?}\n- most steps: {most_steps} (bound {})\n",
                code.method.most_steps()
            );
        }
        Method::Flow(tables) => {
            text += &format!("- tolerance of the tables: {:?}\n", tables.tolerance);
        }
    }
    text += "\n| mode | impacts |\n|---|---|\n";
    for (mode, count) in &samples.modes {
        text += &format!("| {mode} | {count} |\n");
    }
    for (status, count) in &samples.refused {
        text += &format!("| refused: {status} | {count} |\n");
    }
    if samples.contradicted > 0 {
        text += &format!("| {CONTRADICTED} | {} |\n", samples.contradicted);
    }
    for (count, what) in missing(samples) {
        text += &format!("| {what} | {count} |\n");
    }
    text += &format!(
        "\n{} of them stand in the generated tests, up to four for each mode that was met.\n",
        samples.cases.len()
    );
    text
}

/// A few lines for a person.
pub(super) fn summary(plan: &Plan, code: &Code, samples: &Samples) -> String {
    let robot = match &plan.body {
        Body::Inertia(_) => "contact inertia".to_owned(),
        Body::Masses { velocities, .. } => format!("M and J, {velocities} velocities"),
        Body::Model { joints, .. } => format!("{} joints: {}", joints.len(), joints.join(", ")),
    };
    let mut text =
        format!("{}: {}, {}\n  from        {robot}\n", plan.name, kind(code), plan.precision);
    let arguments: Vec<_> = code.arguments.iter().map(|a| a.name).collect();
    text += &format!("  impact      ({})\n", arguments.join(", "));
    for (part, count) in code.parts.iter().rev().take(2).rev() {
        text += &format!("  operations  {}: {part}\n", count.total());
    }
    text += &format!("  stack       at most {} bytes\n", code.stack);
    text += &format!(
        "  error       {:.1e} at most in {} sampled impacts\n",
        samples.worst_error, samples.compared
    );
    if let Method::Flow(tables) = &code.method {
        text += &format!("  tables      {}\n", table_sizes(tables));
    }
    if let Method::Series { .. } = code.method {
        text += &format!("  steps       {} at most in {}\n", samples.most_steps, samples.tried);
    }
    let modes: Vec<_> = samples.modes.iter().map(|(mode, n)| format!("{mode} {n}")).collect();
    text += &format!("  modes       {}\n", modes.join(", "));
    for (status, count) in &samples.refused {
        text += &format!("  refused     {count} of {}: {status}\n", samples.tried);
    }
    if samples.contradicted > 0 {
        text += &format!("  FAILING     {}: {CONTRADICTED}\n", samples.contradicted);
    }
    for (count, what) in missing(samples) {
        text += &format!("  not tested  {count}: {what}\n");
    }
    text
}

fn kind(code: &Code) -> String {
    match &code.method {
        Method::ClosedForms => "in the plane, closed forms".to_owned(),
        Method::Series { order } => format!("in space, series of order {order}"),
        Method::Flow(tables) => {
            format!("in space, kernel flow: {} sectors", tables.sectors.len())
        }
    }
}

/// Impacts of which a generated test fails.
const CONTRADICTED: &str = "the reference ends in another mode, so that a test fails";

/// What could not be compared.
fn missing(samples: &Samples) -> impl Iterator<Item = (usize, &'static str)> {
    [
        (samples.unresolved, "the reference could not follow"),
        (samples.undecided, "rounding decides between the reference's mode and another"),
        (samples.loose, "off by more than a test allows"),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
}

//! A solver as C99: header, source and a test program.

use quote::{format_ident, quote};

use super::code::{Argument, Code};
use super::head::head;
use super::rust::{allowance, columns, slope_allowance};
use super::trial::samples::{Case, Samples};
use crate::Error;
use crate::emit::c::{Sources, print, snake_case};
use crate::output::File;
use crate::robot::{Body, Plan};

/// The source first, then the header and the test.
pub(super) fn files(
    plan: &Plan,
    code: &Code,
    samples: &Samples,
) -> Result<(File, Vec<File>), Error> {
    let mut file = code.file.clone();
    file.items.push(public_functions(code));
    let Sources { header, source } = print(&file, &plan.name, plan.precision, &head(plan, code))?;
    let named = |suffix: &str, text: String| File { name: format!("{}{suffix}", plan.name), text };
    let test = named("_test.c", test(plan, code, samples));
    Ok((named(".c", source), vec![named(".h", header), test]))
}

/// `impact`: what `solve` does, under its public name.
fn public_functions(code: &Code) -> syn::Item {
    let parameters = code.arguments.iter().map(|Argument { name, kind, .. }| {
        let name = format_ident!("{name}");
        quote!(#name: &#kind)
    });
    let names = code.arguments.iter().map(|a| format_ident!("{}", a.name));
    let mut lines = vec![
        "The impact of the contact point with the ground; what `out` holds counts only if it is"
            .to_owned(),
        "solved.".to_owned(),
    ];
    lines.extend(code.arguments.iter().map(|a| format!("- {}: {}", a.name, a.meaning)));
    let lines = crate::emit::doc(lines);
    syn::parse_quote! {
        #lines
        pub fn impact(#(#parameters,)* out: &mut Impact) -> Status {
            solve(#(#names,)* out)
        }
    }
}

fn numbers(values: &[f64]) -> String {
    let values: Vec<_> = values.iter().map(|x| format!("{x:?}")).collect();
    format!("{{{}}}", values.join(", "))
}

/// A program that checks the solver against the reference: values, modes, energy
/// and the friction cone.
fn test(plan: &Plan, code: &Code, samples: &Samples) -> String {
    let name = &plan.name;
    let upper = name.to_uppercase();
    let real = plan.precision.c_type();
    let size = plan.dimension.size();
    let robot = !matches!(plan.body, Body::Inertia(_));
    let fields: String = code
        .arguments
        .iter()
        .map(|argument| match argument.name {
            "q" => format!("    {real} q[{upper}_POSITIONS];\n"),
            "qd" => format!("    {real} qd[{upper}_VELOCITIES];\n"),
            "velocity" => format!("    {real} velocity[{size}];\n"),
            "inertia" => format!("    {real} inertia[{}];\n", size * size),
            "friction" => format!("    {name}_friction_t friction;\n"),
            _ => format!("    {name}_restitution_t restitution;\n"),
        })
        .collect();
    let given: String = code
        .arguments
        .iter()
        .map(|argument| match argument.name {
            "friction" => "&c->friction, ".to_owned(),
            "restitution" => "&c->restitution, ".to_owned(),
            other => format!("c->{other}, "),
        })
        .collect();
    let cases: Vec<_> = samples.cases.iter().map(|case| test_case(plan, code, case)).collect();
    let (qd_field, qd_check) = if robot {
        (
            format!("    {real} qd_after[{upper}_VELOCITIES];\n"),
            format!(
                "        check(\"qd\", c->qd_after, found.qd, {upper}_VELOCITIES,\n\
                 \x20             larger(largest(c->qd, {upper}_VELOCITIES), largest(c->qd_after, {upper}_VELOCITIES)));\n"
            ),
        )
    } else {
        Default::default()
    };
    let (slope_fields, slope_check) = if plan.derivatives {
        let wide = size + 2;
        let allowed = slope_allowance(plan);
        (
            format!("    {real} jacobian[{wide}][{size}];\n    int known[{wide}];\n"),
            format!(
                "        for (int j = 0; j < {wide}; j++) {{\n            \
                 for (int i = 0; c->known[j] && i < {size}; i++) {{\n                \
                 double wanted = (double)c->jacobian[j][i];\n                \
                 double error = size_of((double)found.jacobian[i][j] - wanted);\n                \
                 if (!(error <= {allowed:?} * (1.0 + size_of(wanted)))) {{\n                    \
                 printf(\"jacobian[%d][%d] is off by %g\\n\", i, j, error);\n                    \
                 failures++;\n                }}\n            }}\n        }}\n"
            ),
        )
    } else {
        Default::default()
    };
    let (allowed, count) = (allowance(plan), samples.cases.len());
    format!(
        r#"/* Tests of {name} against a reference of high order. */
#include "{name}.h"

#include <stdio.h>

#define ALLOWED {allowed:?}
#define CASES {count}

typedef struct {{
{fields}    {real} before[{size}];
    {real} most_friction;
    {real} after[{size}];
    {real} impulse[{size}];
{qd_field}    {real} compression_impulse;
    {real} normal_work;
    {real} friction_work;
    {name}_mode_t mode;
{slope_fields}}} test_case;

static const test_case cases[CASES] = {{
{cases}
}};

static int failures = 0;

static double size_of(double x) {{
    return x < 0.0 ? -x : x;
}}

static double larger(double x, double y) {{
    return x > y ? x : y;
}}

static double largest(const {real} *x, int n) {{
    double most = 0.0;
    for (int i = 0; i < n; i++) {{
        most = larger(most, size_of((double)x[i]));
    }}
    return most;
}}

static void check(const char *what, const {real} *wanted, const {real} *found, int n, double scale) {{
    for (int i = 0; i < n; i++) {{
        if (!(size_of((double)found[i] - (double)wanted[i]) <= ALLOWED * scale)) {{
            printf("%s[%d]: %.17g is not %.17g\n", what, i, (double)found[i], (double)wanted[i]);
            failures++;
        }}
    }}
}}

int main(void) {{
    for (int k = 0; k < CASES; k++) {{
        const test_case *c = &cases[k];
        {name}_impact_t found;
        {name}_status_t status = {name}_impact({given}&found);
        if (status != {upper}_STATUS_SOLVED) {{
            printf("case %d: status %d\n", k, (int)status);
            failures++;
            continue;
        }}
        double velocity = larger(largest(c->before, {size}), largest(c->after, {size}));
        double impulse = largest(c->impulse, {size});
        double work = larger(1e-3 * velocity * impulse,
                             larger(size_of((double)c->normal_work), size_of((double)c->friction_work)));
        check("velocity", c->after, found.velocity, {size}, velocity);
        check("impulse", c->impulse, found.impulse, {size}, impulse);
        check("compression_impulse", &c->compression_impulse, &found.compression_impulse, 1, impulse);
        check("normal_work", &c->normal_work, &found.normal_work, 1, work);
        check("friction_work", &c->friction_work, &found.friction_work, 1, work);
{qd_check}        if (found.mode != c->mode) {{
            printf("case %d: mode %d is not %d\n", k, (int)found.mode, (int)c->mode);
            failures++;
        }}
{slope_check}        {real} energy = 0, square = 0, works = found.normal_work + found.friction_work;
        for (int i = 0; i < {size}; i++) {{
            energy += found.impulse[i] * (c->before[i] + found.velocity[i]) / 2;
            {real} part = found.impulse[i] / found.impulse[0];
            square += i > 0 ? part * part : 0;
        }}
        check("energy", &energy, &works, 1, work);
        double most = (double)c->most_friction;
        double cone = most * (1.0 + ALLOWED) + ALLOWED;
        if ((double)square > cone * cone) {{
            printf("case %d: outside the friction cone\n", k);
            failures++;
        }}
    }}
    printf("%d passed, %d failed\n", failures ? 0 : CASES, failures);
    return failures != 0;
}}
"#,
        cases = cases.join(",\n"),
    )
}

fn test_case(plan: &Plan, code: &Code, case: &Case) -> String {
    let upper = plan.name.to_uppercase();
    let law = case.law.name().to_uppercase();
    let mut values: Vec<String> = code
        .arguments
        .iter()
        .map(|argument| match argument.name {
            "q" => numbers(&case.q),
            "qd" => numbers(&case.qd),
            "velocity" => numbers(&case.velocity),
            "inertia" => numbers(&case.inertia),
            "friction" => numbers(&case.friction),
            _ => format!("{{{upper}_LAW_{law}, {:?}}}", case.e),
        })
        .collect();
    let expected = &case.expected;
    values.push(numbers(&case.velocity));
    values.push(format!("{:?}", case.friction[0]));
    values.push(numbers(&expected.velocity));
    values.push(numbers(&expected.impulse));
    if !matches!(plan.body, Body::Inertia(_)) {
        values.push(numbers(&expected.qd));
    }
    let scalars = [expected.compression_impulse, expected.normal_work, expected.friction_work];
    values.extend(scalars.map(|x| format!("{x:?}")));
    values.push(format!("{upper}_MODE_{}", snake_case(&expected.mode).to_uppercase()));
    if plan.derivatives {
        let (columns, known) = columns(case);
        let columns: Vec<_> = columns.iter().map(|column| numbers(column)).collect();
        let known: Vec<_> = known.iter().map(|known| i32::from(*known).to_string()).collect();
        values.push(format!("{{{}}}", columns.join(", ")));
        values.push(format!("{{{}}}", known.join(", ")));
    }
    format!("    {{{}}}", values.join(",\n     "))
}

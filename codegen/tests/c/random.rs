//! Random programs of the part of Rust that is printed as C. They compile, do
//! not overflow, and end: integers are kept small and loops count.
#![allow(unreachable_pub, dead_code)]

/// How many numbers a program reads and writes.
pub const SIZES: [usize; 2] = [6, 6];

/// A program with a `run`, decided by bytes; what they leave open is simple.
pub fn program(bytes: &[u8]) -> String {
    let mut maker = Maker::new(bytes);
    for i in 0..1 + maker.below(5) {
        maker.function(i);
    }
    maker.run();
    format!("{TYPES}\n{}", maker.text)
}

/// What programs have around them in Rust, with reals of this type.
pub fn surroundings(real: &str) -> String {
    let bits = real.replace('f', "u");
    let function = |name| format!("fn {name}(x: Real) -> Real {{ x.{name}() }}\n");
    let functions: String =
        ["sqrt", "sin", "cos", "exp", "exp_m1", "ln", "ln_1p"].map(function).concat();
    format!(
        "type Real = {real};\ntype Bits = {bits};\n{functions}
fn bits(x: Real) -> Bits {{ x.to_bits() }}
fn from_bits(x: Bits) -> Real {{ Real::from_bits(x) }}\n"
    )
}

/// Bytes for a seed.
pub fn bytes(seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 56) as u8
    };
    let length = 300 + 4 * usize::from(next());
    (0..length).map(|_| next()).collect()
}

const TYPES: &str = "
#[derive(Clone, Copy, PartialEq)]
pub enum Mode { Stick, Slide, Lift }
#[derive(Clone, Copy)]
enum Shape { Point, Ball(Real), Beam { length: Real, count: usize } }
#[derive(Clone, Copy)]
struct Pair { x: Real, n: usize }
#[derive(Clone, Copy)]
struct Body { pair: Pair, v: [Real; 3], mode: Mode, last: Option<Real> }

impl Mode {
    const FIRST: Mode = Mode::Slide;
    const COUNT: usize = 3;
    fn next(self) -> Self {
        match self { Self::Stick => Self::Slide, Self::Slide => Self::Lift, Self::Lift => Self::Stick }
    }
    fn weight(self) -> Real { if self == Mode::Lift { 0.5 } else { self as usize as Real } }
}
impl Shape {
    fn size(&self) -> Real {
        match *self {
            Shape::Point => 0.0,
            Shape::Ball(radius) => 2.0 * radius,
            Shape::Beam { length, count } => length * count as Real,
        }
    }
}
impl Pair {
    const UNIT: Self = Self { x: 1.0, n: 1 };
    fn new(x: Real, n: usize) -> Self { Self { x, n: n % 17 } }
    fn sum(&self) -> Real { self.x + self.n as Real }
    fn push(&mut self, by: Real) -> Real { self.x = self.x * 0.5 + by; self.n = (self.n + 1) % 17; self.x }
    fn turned(self) -> Self { Self { x: -self.x, ..self } }
    fn positive(&self) -> Option<Real> { if self.x > 0.0 { Some(self.x) } else { None } }
    fn checked(self) -> Result<Real, Mode> { if self.n < 9 { Ok(self.x) } else { Err(Mode::Slide) } }
}
impl Body {
    fn start(x: Real) -> Self {
        Self { pair: Pair { x, ..Pair::UNIT }, v: [x, 1.0, -x], mode: Mode::FIRST, last: None }
    }
    fn speeds(&self) -> [Real; 3] { [self.v[0] * 0.5, self.v[1] + self.v[2], self.pair.x] }
    fn strike(&mut self, i: usize, by: Real) -> usize {
        self.v[i % 3] += by;
        self.last = Some(self.v[0]);
        self.mode = self.mode.next();
        self.pair.push(by);
        self.pair.n
    }
}
const ORIGIN: [Real; 3] = [0.0; 3];
const HALF: Real = 0.75;
const LESS: Real = -1.5;
const MORE: Real = 2.0;
fn maybe(x: Option<Real>) -> Option<Real> { x }
fn maybe_pair(x: Option<Pair>) -> Option<Pair> { x }
fn fallible(x: Result<Real, Mode>) -> Result<Real, Mode> { x }
fn bump(x: &mut Real) -> Real { *x = *x * 0.75 + 1.0; *x }
fn count(n: &mut usize) -> usize { *n = (*n + 5) % 17; *n }
fn fill(v: &mut [Real; 3], x: Real) -> Option<usize> { v[0] += x; v[2] = v[1]; if x > 1.0 { Some(2) } else { None } }
fn clip(x: Real) -> Real { if x > 100.0 { 100.0 } else if x >= -100.0 { x } else { -100.0 } }
fn clean(x: Real) -> Real { if x.is_nan() { 1.0 } else { x } }
";

#[derive(Clone, Copy, PartialEq, Debug)]
enum Ty {
    Real,
    Bool,
    Usize,
    U64,
    I32,
    Mode,
    Shape,
    Pair,
    Body,
    Triple,
    Rows,
    Maybe,
    MaybePair,
    Fallible,
    Both,
}

use Ty::*;

const ALL: [Ty; 15] = [
    Real, Bool, Usize, U64, I32, Mode, Shape, Pair, Body, Triple, Rows, Maybe, MaybePair, Fallible,
    Both,
];

impl Ty {
    fn name(self) -> &'static str {
        match self {
            Real => "Real",
            Bool => "bool",
            Usize => "usize",
            U64 => "u64",
            I32 => "i32",
            Mode => "Mode",
            Shape => "Shape",
            Pair => "Pair",
            Body => "Body",
            Triple => "[Real; 3]",
            Rows => "[[Real; 2]; 2]",
            Maybe => "Option<Real>",
            MaybePair => "Option<Pair>",
            Fallible => "Result<Real, Mode>",
            Both => "(Real, usize)",
        }
    }
}

#[derive(Clone)]
struct Local {
    name: String,
    ty: Ty,
    mutable: bool,
    /// Whether it is a reference, and must be dereferenced.
    reference: bool,
}

#[derive(Clone)]
struct Function {
    name: String,
    parameters: Vec<(Ty, Passing)>,
    output: Ty,
}

#[derive(Clone, Copy, PartialEq)]
enum Passing {
    Value,
    Shared,
    Changed,
}

struct Maker<'a> {
    bytes: &'a [u8],
    text: String,
    functions: Vec<Function>,
    scope: Vec<Local>,
    /// Names that are borrowed for the moment.
    blocked: Vec<String>,
    output: Ty,
    loops: usize,
    /// Whether the innermost loop has a value, and `break` must give it.
    valued: bool,
    /// Statements that may yet be made in this function.
    budget: usize,
    names: usize,
}

impl<'a> Maker<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            text: String::new(),
            functions: Vec::new(),
            scope: Vec::new(),
            blocked: Vec::new(),
            output: Real,
            loops: 0,
            valued: false,
            budget: 0,
            names: 0,
        }
    }

    fn below(&mut self, n: usize) -> usize {
        match self.bytes.split_first() {
            Some((first, rest)) => {
                self.bytes = rest;
                usize::from(*first) % n
            }
            None => 0,
        }
    }

    fn chance(&mut self, n: usize) -> bool {
        self.below(n) == 1
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// Few names, so that they shadow each other.
    fn name(&mut self) -> String {
        self.names += 1;
        match self.below(5) {
            0 => format!("x{}", self.names),
            _ => self.pick(&["a", "b", "value", "before", "i", "matched", "next"]).to_owned(),
        }
    }

    fn bind(&mut self, name: &str, ty: Ty, mutable: bool) {
        self.scope.push(Local { name: name.to_owned(), ty, mutable, reference: false });
    }

    /// Visible locals that are not borrowed.
    fn visible(&self, fits: impl Fn(&Local) -> bool) -> Vec<Local> {
        let mut seen: Vec<&str> = Vec::new();
        let mut found = Vec::new();
        for local in self.scope.iter().rev() {
            if seen.contains(&local.name.as_str()) {
                continue;
            }
            seen.push(&local.name);
            if fits(local) && !self.blocked.contains(&local.name) {
                found.push(local.clone());
            }
        }
        found
    }

    fn function(&mut self, i: usize) {
        let output = self.pick(&ALL);
        let mut parameters = Vec::new();
        self.scope.clear();
        let mut declared = Vec::new();
        for k in 0..1 + self.below(3) {
            let ty = self.pick(&ALL);
            let passing = self.pick(&[Passing::Value, Passing::Shared, Passing::Changed]);
            parameters.push((ty, passing));
            let name = format!("p{k}");
            let mutable = passing == Passing::Value && self.chance(3);
            let (start, reference) = match passing {
                Passing::Value if mutable => ("mut ", ""),
                Passing::Value => ("", ""),
                Passing::Shared => ("", "&"),
                Passing::Changed => ("", "&mut "),
            };
            declared.push(format!("{start}{name}: {reference}{}", ty.name()));
            let mutable = mutable || passing == Passing::Changed;
            let reference = passing != Passing::Value;
            self.scope.push(Local { name, ty, mutable, reference });
        }
        let name = format!("f{i}");
        self.output = output;
        self.loops = 0;
        self.budget = 14;
        let body = self.block(output, 3);
        let parameter_list = declared.join(", ");
        self.text += &format!("fn {name}({parameter_list}) -> {} {{\n{body}\n}}\n", output.name());
        self.functions.push(Function { name, parameters, output });
    }

    fn run(&mut self) {
        self.scope.clear();
        self.output = Bool;
        self.budget = 0;
        let mut lines = String::new();
        for (i, name) in ["x0", "x1", "x2", "x3", "x4", "x5"].iter().enumerate() {
            lines += &format!("let mut {name} = input[{i}];\n");
            self.bind(name, Real, true);
        }
        for (name, ty, value) in [
            ("body", Body, "Body::start(x0)"),
            ("pair", Pair, "Pair::new(x1, 3)"),
            ("n", Usize, "2"),
            ("m", U64, "bits(clean(x3)) as u64"),
            ("v", Triple, "[x0, x1, x2]"),
        ] {
            lines += &format!("let mut {name}: {} = {value};\n", ty.name());
            self.bind(name, ty, true);
        }
        for i in 0..6 {
            let function = self.functions.len().checked_sub(1 + i);
            let call = match function.map(|at| self.functions[at].clone()) {
                Some(function) => {
                    let call = self.call(&function, 1);
                    self.as_real(function.output, &call)
                }
                None => self.expr(Real, 2),
            };
            lines += &format!("output[{i}] = {call};\n");
        }
        let size = SIZES[0];
        self.text += &format!(
            "pub fn run(input: &[Real; {size}], output: &mut [Real; {size}]) {{\n{lines}}}\n"
        );
    }

    /// A number that shows what a value is.
    fn as_real(&mut self, ty: Ty, value: &str) -> String {
        match ty {
            Real => value.to_owned(),
            Bool => format!("({value}) as usize as Real"),
            Usize | I32 => format!("({value}) as Real"),
            U64 => format!("(({value}) >> 40) as Real"),
            Mode => format!("({value}).weight()"),
            Shape => format!("({value}).size()"),
            Pair => format!("({value}).sum()"),
            Body => format!(
                "({{ let b = {value}; b.pair.sum() + b.v[0] - b.v[1] * 0.5 + b.v[2] + b.mode.weight() + b.last.unwrap_or(7.0) }})"
            ),
            Triple => format!("({{ let [a, b, c] = {value}; a - b * 0.5 + c }})"),
            Rows => format!("({{ let [[a, b], [c, d]] = {value}; a - b * 0.5 + c * 3.0 - d }})"),
            Maybe => format!("({value}).unwrap_or(-3.0)"),
            MaybePair => format!("(match {value} {{ Some(p) => p.sum(), None => 0.125 }})"),
            Fallible => format!("(match {value} {{ Ok(x) => x, Err(m) => m.weight() - 4.0 }})"),
            Both => format!("({{ let (x, n) = {value}; x + n as Real }})"),
        }
    }

    /// Statements and a tail of this type, without the braces.
    fn block(&mut self, ty: Ty, depth: usize) -> String {
        let scope = self.scope.len();
        let mut lines = String::new();
        for _ in 0..self.below(4) {
            lines += &self.statement(depth);
        }
        let tail = self.expr(ty, depth);
        self.scope.truncate(scope);
        format!("{lines}{tail}")
    }

    fn statements(&mut self, depth: usize) -> String {
        let scope = self.scope.len();
        let mut lines = String::new();
        for _ in 0..1 + self.below(3) {
            lines += &self.statement(depth);
        }
        self.scope.truncate(scope);
        lines
    }

    fn statement(&mut self, depth: usize) -> String {
        let Some(left) = self.budget.checked_sub(1) else { return String::new() };
        self.budget = left;
        let next = depth.saturating_sub(1);
        match self.below(16) {
            0..=2 => self.local(depth),
            3 | 4 => self.assignment(depth),
            5 => self.update(depth),
            6 => {
                let condition = self.expr(Bool, next);
                let then = self.statements(next);
                match self.chance(2) {
                    true => {
                        let otherwise = self.statements(next);
                        format!("if {condition} {{\n{then}}} else {{\n{otherwise}}}\n")
                    }
                    false => format!("if {condition} {{\n{then}}}\n"),
                }
            }
            7 => self.if_let(next),
            8 => self.let_else(next),
            9 => self.counting(next),
            10 => self.through(next),
            11 => self.repeating(next),
            12 => self.matching(next),
            13 => self.leaving(next),
            14 => match self.effect(next) {
                Some((_, call)) => format!("{call};\n"),
                None => String::new(),
            },
            _ => self.unpacking(next),
        }
    }

    fn local(&mut self, depth: usize) -> String {
        let ty = self.pick(&ALL);
        let value = self.expr(ty, depth);
        let name = self.name();
        let mutable = self.chance(2);
        let start = if mutable { "mut " } else { "" };
        let written = if self.chance(2) { String::new() } else { format!(": {}", ty.name()) };
        // Rust would take a bare literal for an `i32`, and needs to know the rest
        // of `None`.
        let written = match ty {
            Usize | U64 | Maybe | MaybePair | Fallible => format!(": {}", ty.name()),
            _ => written,
        };
        self.bind(&name, ty, mutable);
        format!("let {start}{name}{written} = {value};\n")
    }

    fn unpacking(&mut self, depth: usize) -> String {
        let [x, y, z] = [0; 3].map(|_| self.fresh());
        let (text, bound): (String, Vec<(String, Ty)>) = match self.below(4) {
            0 => {
                let value = self.expr(Triple, depth);
                (format!("let [{x}, {y}, {z}] = {value};\n"), vec![(x, Real), (y, Real), (z, Real)])
            }
            1 => {
                let value = self.expr(Both, depth);
                (format!("let ({x}, {y}) = {value};\n"), vec![(x, Real), (y, Usize)])
            }
            2 => {
                let value = self.expr(Pair, depth);
                (format!("let Pair {{ x: {x}, n: {y} }} = {value};\n"), vec![(x, Real), (y, Usize)])
            }
            _ => {
                let value = self.expr(Body, depth);
                (
                    format!("let Body {{ pair: {x}, v: [_, {y}, _], .. }} = {value};\n"),
                    vec![(x, Pair), (y, Real)],
                )
            }
        };
        bound.into_iter().for_each(|(name, ty)| self.bind(&name, ty, false));
        text
    }

    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("y{}", self.names)
    }

    /// A place that can be changed.
    fn place(&mut self, ty: Ty) -> Option<String> {
        let mut places = Vec::new();
        for local in self.visible(|local| local.mutable) {
            let Local { name, ty: known, reference, .. } = local;
            let start = if reference { "*" } else { "" };
            match (known, ty) {
                (known, ty) if known == ty => places.push(format!("{start}{name}")),
                (Pair, Real) => places.push(format!("{name}.x")),
                (Body, Real) => {
                    places.push(format!("{name}.pair.x"));
                    let at = self.index(3);
                    places.push(format!("{name}.v[{at}]"));
                }
                (Body, Pair) => places.push(format!("{name}.pair")),
                (Body, Triple) => places.push(format!("{name}.v")),
                (Body, Mode) => places.push(format!("{name}.mode")),
                (Body, Maybe) => places.push(format!("{name}.last")),
                (Triple, Real) => {
                    let at = self.index(3);
                    places.push(format!("{name}[{at}]"));
                }
                (Rows, Real) => {
                    let (i, j) = (self.index(2), self.index(2));
                    places.push(format!("{name}[{i}][{j}]"));
                }
                _ => {}
            }
        }
        match places.len() {
            0 => None,
            n => Some(places.swap_remove(self.below(n))),
        }
    }

    /// An index, which is a literal or a local.
    fn index(&mut self, length: usize) -> String {
        let locals = self.visible(|local| local.ty == Usize && !local.reference);
        match self.chance(2) && !locals.is_empty() {
            true => {
                let at = self.below(locals.len());
                format!("{} % {length}", locals[at].name)
            }
            false => self.below(length).to_string(),
        }
    }

    fn assignment(&mut self, depth: usize) -> String {
        if self.chance(6)
            && let Some((left, right)) = self.place(Real).zip(self.place(Real))
        {
            let (x, y) = (self.expr(Real, depth.min(1)), self.expr(Real, depth.min(1)));
            return format!("({left}, {right}) = ({x}, {y});\n");
        }
        let ty = self.pick(&[Real, Real, Triple, Rows, Pair, Body, Mode, Maybe, Shape, Both]);
        let Some(place) = self.place(ty) else { return String::new() };
        let value = self.expr(ty, depth);
        format!("{place} = {value};\n")
    }

    fn update(&mut self, depth: usize) -> String {
        let Some(place) = self.place(Real) else { return String::new() };
        let value = self.expr(Real, depth);
        let operator = self.pick(&["+=", "-=", "*="]);
        format!("{place} {operator} {value};\n")
    }

    fn if_let(&mut self, depth: usize) -> String {
        let scope = self.scope.len();
        let name = self.name();
        let (pattern, value, ty) = match self.below(4) {
            0 => (format!("Some({name})"), self.known(Maybe, depth), Real),
            1 => (format!("Some({name})"), self.known(MaybePair, depth), Pair),
            2 => (format!("Ok({name})"), self.known(Fallible, depth), Real),
            _ => (format!("Shape::Ball({name})"), self.known(Shape, depth), Real),
        };
        self.bind(&name, ty, false);
        let guard = match self.chance(3) {
            true => format!(" && {}", self.operand(Bool)),
            false => String::new(),
        };
        let then = self.statements(depth);
        self.scope.truncate(scope);
        let otherwise = match self.chance(2) {
            true => format!(" else {{\n{}}}", self.statements(depth)),
            false => String::new(),
        };
        format!("if let {pattern} = ({value}){guard} {{\n{then}}}{otherwise}\n")
    }

    fn let_else(&mut self, depth: usize) -> String {
        let (pattern, ty, inner) =
            self.pick(&[("Some", Maybe, Real), ("Some", MaybePair, Pair), ("Ok", Fallible, Real)]);
        let value = self.known(ty, depth);
        let leaving = self.leave(depth);
        let name = self.name();
        self.bind(&name, inner, false);
        format!("let {pattern}({name}) = ({value}) else {{ {leaving} }};\n")
    }

    /// What leaves a loop or the function.
    fn leave(&mut self, depth: usize) -> String {
        match self.below(3) {
            0 if self.loops > 0 && !self.valued => "break;".to_owned(),
            1 if self.loops > 0 => "continue;".to_owned(),
            _ => format!("return {};", self.expr(self.output, depth.min(1))),
        }
    }

    fn leaving(&mut self, depth: usize) -> String {
        let condition = self.expr(Bool, depth);
        let leave = self.leave(depth);
        format!("if {condition} {{ {leave} }}\n")
    }

    fn counting(&mut self, depth: usize) -> String {
        let end = 1 + self.below(4);
        let name = self.name();
        let range = match self.below(5) {
            0 => format!("(0..{end}usize).rev()"),
            1 => format!("1..={end}usize"),
            2 => {
                let n = self.operand(Usize);
                format!("0..({n}) % 4")
            }
            3 => format!("(1..={end}usize).rev()"),
            _ => format!("0..{end}usize"),
        };
        let body = self.in_loop(&[(&name, Usize)], depth);
        format!("for {name} in {range} {{\n{body}}}\n")
    }

    fn through(&mut self, depth: usize) -> String {
        let name = self.name();
        match self.below(5) {
            4 => {
                let locals = self.visible(|local| local.ty == Triple && !local.reference);
                let Some(local) = locals.first() else { return String::new() };
                let other = self.fresh();
                self.blocked.push(local.name.clone());
                let body = self.in_loop(&[(&name, Usize), (&other, Real)], depth);
                self.blocked.pop();
                format!(
                    "for ({name}, &{other}) in {}.iter().enumerate() {{\n{body}}}\n",
                    local.name
                )
            }
            0 => {
                let rows = self.expr(Rows, depth.min(1));
                let other = self.fresh();
                let body = self.in_loop(&[(&name, Real), (&other, Real)], depth);
                format!("for [{name}, {other}] in {rows} {{\n{body}}}\n")
            }
            1 => {
                let locals = self.visible(|local| local.ty == Triple && !local.reference);
                let Some(local) = locals.first() else { return String::new() };
                self.blocked.push(local.name.clone());
                let body = self.in_loop(&[(&name, Real)], depth);
                self.blocked.pop();
                format!("for &{name} in &{} {{\n{body}}}\n", local.name)
            }
            2 => {
                let locals = self.visible(|l| l.ty == Triple && !l.reference && l.mutable);
                let Some(local) = locals.first() else { return String::new() };
                self.blocked.push(local.name.clone());
                let value = self.expr(Real, depth.min(1));
                self.blocked.pop();
                format!(
                    "for {name} in &mut {} {{\n*{name} = *{name} * 0.5 + ({value});\n}}\n",
                    local.name
                )
            }
            _ => {
                let array = self.expr(Triple, depth);
                let body = self.in_loop(&[(&name, Real)], depth);
                format!("for {name} in {array} {{\n{body}}}\n")
            }
        }
    }

    fn in_loop(&mut self, names: &[(&str, Ty)], depth: usize) -> String {
        let scope = self.scope.len();
        for (name, ty) in names {
            self.bind(name, *ty, false);
        }
        self.loops += 1;
        let outer = std::mem::replace(&mut self.valued, false);
        let body = self.statements(depth);
        self.valued = outer;
        self.loops -= 1;
        self.scope.truncate(scope);
        body
    }

    /// `while` and `loop`, which end after some turns at the latest.
    fn repeating(&mut self, depth: usize) -> String {
        let turns = self.fresh();
        let most = 1 + self.below(4);
        let body = self.in_loop(&[], depth);
        let start = format!("let mut {turns} = 0usize;\n");
        let turn = format!("{turns} += 1;\nif {turns} > {most} {{ break; }}\n");
        match self.below(3) {
            0 => format!("{start}loop {{\n{turn}{body}}}\n"),
            1 => {
                let condition = self.outside_loops(|maker| maker.expr(Bool, depth));
                format!("{start}while {condition} {{\n{turn}{body}}}\n")
            }
            _ => {
                let value = self.outside_loops(|maker| maker.known(Maybe, depth));
                let name = self.name();
                let body = self.in_loop(&[(&name, Real)], depth);
                format!("{start}while let Some({name}) = ({value}) {{\n{turn}{body}}}\n")
            }
        }
    }

    /// The condition of a loop, which cannot leave one.
    fn outside_loops(&mut self, make: impl FnOnce(&mut Self) -> String) -> String {
        let loops = std::mem::replace(&mut self.loops, 0);
        let text = make(self);
        self.loops = loops;
        text
    }

    fn matching(&mut self, depth: usize) -> String {
        let arms = self.arms(None, depth);
        format!("{arms}\n")
    }

    /// A `match` with values or statements in its arms.
    fn arms(&mut self, ty: Option<Ty>, depth: usize) -> String {
        let name = self.fresh();
        let (value, patterns): (String, Vec<(String, Option<Ty>)>) = match self.below(6) {
            0 => {
                let value = self.expr(Mode, depth);
                let patterns = match self.chance(2) {
                    true => vec!["Mode::Stick | Mode::Lift", "Mode::Slide"],
                    false => vec!["Mode::Stick", "Mode::Slide", "_"],
                };
                (value, patterns.into_iter().map(|p| (p.to_owned(), None)).collect())
            }
            1 => {
                let value = self.known(Maybe, depth);
                (value, vec![(format!("Some({name})"), Some(Real)), ("None".to_owned(), None)])
            }
            2 => {
                let value = self.known(Fallible, depth);
                let patterns = vec![
                    (format!("Ok({name})"), Some(Real)),
                    ("Err(Mode::Slide)".to_owned(), None),
                    (format!("Err({name})"), Some(Mode)),
                ];
                (value, patterns)
            }
            3 => {
                let value = self.known(Shape, depth);
                let patterns = vec![
                    (format!("Shape::Ball({name})"), Some(Real)),
                    (format!("Shape::Beam {{ length: {name}, .. }}"), Some(Real)),
                    ("Shape::Point".to_owned(), None),
                ];
                (value, patterns)
            }
            4 => {
                let value = self.expr(Usize, depth);
                let patterns = ["0", "1 | 2", "3", "_"];
                (value, patterns.into_iter().map(|p| (p.to_owned(), None)).collect())
            }
            _ => {
                let value = self.known(Maybe, depth);
                let test = format!("Some({name}) if {name} > 0.5");
                let patterns = vec![
                    (test, Some(Real)),
                    (format!("Some({name})"), Some(Real)),
                    ("None".to_owned(), None),
                ];
                (value, patterns)
            }
        };
        let mut text = format!("match ({value}) {{\n");
        for (pattern, bound) in patterns {
            let scope = self.scope.len();
            bound.into_iter().for_each(|ty| self.bind(&name, ty, false));
            let body = match ty {
                Some(ty) if self.chance(6) => {
                    format!("{{ {} {} }}", self.leave_if(depth), self.expr(ty, depth))
                }
                Some(ty) => self.expr(ty, depth),
                None => format!("{{\n{}}}", self.statements(depth)),
            };
            self.scope.truncate(scope);
            text += &format!("{pattern} => {body},\n");
        }
        text + "}"
    }

    fn leave_if(&mut self, depth: usize) -> String {
        match self.chance(2) && self.budget > 0 {
            true => self.leaving(depth.min(1)),
            false => String::new(),
        }
    }

    /// A call that changes something.
    fn effect(&mut self, depth: usize) -> Option<(Ty, String)> {
        let locals = self.visible(|local| {
            local.mutable && matches!(local.ty, Real | Usize | Triple | Pair | Body)
        });
        if locals.is_empty() {
            return None;
        }
        let local = locals[self.below(locals.len())].clone();
        let name = &local.name;
        let borrow = if local.reference { name.clone() } else { format!("&mut {name}") };
        self.blocked.push(name.clone());
        let call = match local.ty {
            Real => (Real, format!("bump({borrow})")),
            Usize => (Usize, format!("count({borrow})")),
            Triple => {
                let x = self.expr(Real, depth.min(1));
                let default = self.operand(Usize);
                (Usize, format!("fill({borrow}, {x}).unwrap_or({default})"))
            }
            Pair => {
                let x = self.expr(Real, depth.min(1));
                (Real, format!("{name}.push({x})"))
            }
            _ => {
                let (i, x) = (self.operand(Usize), self.expr(Real, depth.min(1)));
                (Usize, format!("{name}.strike({i}, {x})"))
            }
        };
        self.blocked.pop();
        Some(call)
    }

    /// A call of an earlier function. What it changes is not used beside it.
    fn call(&mut self, function: &Function, depth: usize) -> String {
        let blocked = self.blocked.len();
        let mut changed = Vec::new();
        for (ty, passing) in &function.parameters {
            let fits = |local: &Local| local.ty == *ty && local.mutable;
            let local = match passing {
                Passing::Changed => self.visible(fits).into_iter().next(),
                _ => None,
            };
            if let Some(local) = &local {
                self.blocked.push(local.name.clone());
            }
            changed.push(local);
        }
        let mut arguments = Vec::new();
        for ((ty, passing), local) in function.parameters.iter().zip(changed) {
            arguments.push(match (passing, local) {
                (Passing::Value, _) => self.expr(*ty, depth),
                (Passing::Shared, _) => self.shared(*ty, depth),
                (Passing::Changed, Some(local)) if local.reference => local.name,
                (Passing::Changed, Some(local)) => format!("&mut {}", local.name),
                (Passing::Changed, None) => format!("&mut ({})", self.value(*ty)),
            });
        }
        self.blocked.truncate(blocked);
        format!("{}({})", function.name, arguments.join(", "))
    }

    /// A reference to a local or to a value.
    fn shared(&mut self, ty: Ty, depth: usize) -> String {
        let locals = self.visible(|local| local.ty == ty);
        match locals.first() {
            Some(local) if local.reference && !local.mutable => local.name.clone(),
            Some(local) if !local.reference => format!("&{}", local.name),
            _ => format!("&({})", self.expr(ty, depth.min(1))),
        }
    }

    fn operand(&mut self, ty: Ty) -> String {
        let locals = self.visible(|local| local.ty == ty);
        match locals.len() {
            0 => self.value(ty),
            n => {
                let local = &locals[self.below(n)];
                if local.reference { format!("(*{})", local.name) } else { local.name.clone() }
            }
        }
    }

    /// A value that uses no locals.
    fn value(&mut self, ty: Ty) -> String {
        match ty {
            Real => self.pick(&["HALF", "LESS", "MORE"]),
            Bool => self.pick(&["true", "false"]),
            Usize => self.pick(&["0usize", "1usize", "7usize"]),
            U64 => self.pick(&["3u64", "0xffff_ffff_0000_0001u64"]),
            I32 => self.pick(&["5i32", "-3i32"]),
            Mode => self.pick(&["Mode::Stick", "Mode::Lift", "Mode::FIRST"]),
            Shape => self.pick(&[
                "Shape::Point",
                "Shape::Ball(0.5)",
                "Shape::Beam { length: 2.0, count: 3 }",
            ]),
            Pair => self.pick(&["Pair::UNIT", "Pair { x: 2.0, n: 3 }", "Pair::new(0.5, 20)"]),
            Body => self.pick(&["Body::start(0.5)", "Body::start(-2.0)"]),
            Triple => self.pick(&["[LESS, MORE, 0.5]", "ORIGIN", "[MORE; 3]"]),
            Rows => self.pick(&["[[HALF, 2.0], [3.0, -4.0]]", "[[LESS; 2]; 2]"]),
            Maybe => self.pick(&["Some(0.25)", "None"]),
            MaybePair => self.pick(&["Some(Pair::UNIT)", "None"]),
            Fallible => self.pick(&["Ok(0.25)", "Err(Mode::Slide)", "Err(Mode::Lift)"]),
            Both => self.pick(&["(MORE, 2usize)", "(LESS, 0usize)"]),
        }
        .to_owned()
    }

    /// A value whose type Rust can tell from it alone.
    fn known(&mut self, ty: Ty, depth: usize) -> String {
        let value = self.expr(ty, depth);
        match ty {
            Maybe => format!("maybe({value})"),
            MaybePair => format!("maybe_pair({value})"),
            Fallible => format!("fallible({value})"),
            _ => value,
        }
    }

    fn expr(&mut self, ty: Ty, depth: usize) -> String {
        let Some(next) = depth.checked_sub(1) else { return self.operand(ty) };
        match self.below(13) {
            0 | 1 => self.operand(ty),
            12 if self.budget > 0 => {
                let turns = self.fresh();
                let outer = std::mem::replace(&mut self.valued, true);
                let scope = self.scope.len();
                self.loops += 1;
                let condition = self.expr(Bool, next);
                let value = self.expr(ty, next);
                let body = self.statements(next);
                self.loops -= 1;
                self.scope.truncate(scope);
                self.valued = outer;
                format!(
                    "({{ let mut {turns} = 0usize; loop {{ {turns} += 1; \
                     if {turns} > 5 {{ return {}; }}\n\
                     if {turns} > 3 || {condition} {{ break {value}; }}\n{body}\n}} }})",
                    self.value(self.output)
                )
            }
            2 => {
                let condition = self.expr(Bool, next);
                let (then, otherwise) = match self.below(3) {
                    0 => (self.block(ty, next), self.expr(ty, next)),
                    _ => (self.expr(ty, next), self.expr(ty, next)),
                };
                format!("(if {condition} {{ {then} }} else {{ {otherwise} }})")
            }
            3 => format!("({})", self.arms(Some(ty), next)),
            4 => {
                let functions: Vec<Function> =
                    self.functions.iter().filter(|f| f.output == ty).cloned().collect();
                match functions.len() {
                    0 => self.made(ty, next),
                    n => {
                        let at = self.below(n);
                        self.call(&functions[at], next)
                    }
                }
            }
            5 => match self.effect(next) {
                Some((known, call)) if known == ty => call,
                Some((known, call)) if ty == Real => self.as_real(known, &call),
                _ => self.made(ty, next),
            },
            6 => format!("({{ {} }})", self.block(ty, next)),
            _ => self.made(ty, next),
        }
    }

    /// A value made of others.
    fn made(&mut self, ty: Ty, next: usize) -> String {
        let choice = self.below(10);
        match ty {
            Real => self.real(choice, next),
            Bool => match choice {
                0 => format!("!({})", self.expr(Bool, next)),
                1 | 2 => {
                    let (x, y) = (self.expr(Bool, next), self.expr(Bool, next));
                    format!("(({x}) {} ({y}))", self.pick(&["&&", "||"]))
                }
                3 => {
                    let (x, y) = (self.expr(Usize, next), self.expr(Usize, next));
                    format!("(({x}) {} ({y}))", self.pick(&["<", ">=", "=="]))
                }
                4 => format!("(({}) {} ({}))", self.expr(I32, next), "<", self.expr(I32, next)),
                5 => format!("({}).is_some()", self.known(Maybe, next)),
                6 => format!("({}).is_err()", self.known(Fallible, next)),
                7 => format!("matches!({}, Shape::Ball(r) if r > 0.0)", self.expr(Shape, next)),
                8 => format!("(({}) == ({}))", self.expr(Mode, next), self.expr(Mode, next)),
                _ => {
                    let (x, y) = (self.expr(Real, next), self.expr(Real, next));
                    format!("(({x}) {} ({y}))", self.pick(&["<", ">=", "!="]))
                }
            },
            Usize => match choice {
                0 => format!("(({}) % 5)", self.expr(Usize, next)),
                1 => format!("({}).min({})", self.expr(Usize, next), self.expr(Usize, next)),
                2 => format!("({}).max({})", self.expr(Usize, next), self.expr(Usize, next)),
                3 => format!("(({} >> 3) % 7) as usize", self.operand(U64)),
                4 => format!("({}).n", self.expr(Pair, next)),
                5 => format!("({}).1", self.expr(Both, next)),
                6 => "Mode::COUNT".to_owned(),
                7 => format!("(({}) as usize)", self.expr(Mode, next)),
                8 => format!(
                    "((({}) + 17 - ({}) % 17) % 17)",
                    self.expr(Usize, next),
                    self.expr(Usize, next)
                ),
                _ => format!(
                    "((({}) * 2 + ({})) % 17)",
                    self.expr(Usize, next),
                    self.expr(Usize, next)
                ),
            },
            U64 => match choice {
                0..=3 => {
                    let name = self.pick(&["add", "sub", "mul"]);
                    let (x, y) = (self.operand(U64), self.expr(U64, next));
                    format!("({x} ^ 1).wrapping_{name}({y})")
                }
                4 => format!("(!({}))", self.expr(U64, next)),
                5 => {
                    let by = self.below(64);
                    format!("(({}) {} {by})", self.expr(U64, next), self.pick(&["<<", ">>"]))
                }
                6 => format!("(({}) as u64)", self.expr(Usize, next)),
                7 => format!("(bits(clean({})) as u64)", self.expr(Real, next)),
                _ => {
                    let (x, y) = (self.expr(U64, next), self.expr(U64, next));
                    format!("(({x}) {} ({y}))", self.pick(&["&", "|", "^"]))
                }
            },
            I32 => match choice {
                0 => format!("(-({}))", self.expr(I32, next)),
                1 => format!("(({}) as i32)", self.expr(Usize, next)),
                2 => format!("(clip({}) as i32)", self.expr(Real, next)),
                3 => format!("(({}) / 3)", self.expr(I32, next)),
                4 => format!("(({}) % 7)", self.expr(I32, next)),
                5 => format!("({}).max({})", self.expr(I32, next), self.operand(I32)),
                _ => {
                    let (x, y) = (self.expr(I32, next), self.expr(I32, next));
                    format!("((({x}) {} ({y})) % 100)", self.pick(&["+", "-", "*"]))
                }
            },
            Mode => match choice {
                0..=4 => format!("({}).next()", self.expr(Mode, next)),
                5 => format!("({}).mode", self.expr(Body, next)),
                _ => self.value(Mode),
            },
            Shape => match choice {
                0..=3 => format!("Shape::Ball({})", self.expr(Real, next)),
                4..=7 => {
                    let (length, count) = (self.expr(Real, next), self.expr(Usize, next));
                    format!("Shape::Beam {{ length: {length}, count: {count} }}")
                }
                _ => self.value(Shape),
            },
            Pair => match choice {
                0 | 1 => format!(
                    "Pair {{ x: {}, n: {} }}",
                    self.expr(Real, next),
                    self.expr(Usize, next)
                ),
                2 => format!(
                    "Pair {{ n: {}, x: {} }}",
                    self.expr(Usize, next),
                    self.expr(Real, next)
                ),
                3 => {
                    format!("Pair {{ x: {}, ..{} }}", self.expr(Real, next), self.expr(Pair, next))
                }
                4 => format!("({}).turned()", self.expr(Pair, next)),
                5 => format!("({}).pair", self.expr(Body, next)),
                6 => format!("({}).unwrap_or(Pair::UNIT)", self.known(MaybePair, next)),
                _ => format!("Pair::new({}, {})", self.expr(Real, next), self.expr(Usize, next)),
            },
            Body => match choice {
                0..=3 => format!(
                    "Body {{ v: {}, ..{} }}",
                    self.expr(Triple, next),
                    self.expr(Body, next)
                ),
                4..=6 => {
                    let parts = [Mode, Pair, Triple].map(|ty| self.expr(ty, next));
                    let [mode, pair, v] = parts;
                    let last = self.expr(Maybe, next);
                    format!("Body {{ mode: {mode}, pair: {pair}, v: {v}, last: {last} }}")
                }
                _ => format!("Body::start({})", self.expr(Real, next)),
            },
            Triple => match choice {
                0..=3 => {
                    let [x, y, z] = [0; 3].map(|_| self.expr(Real, next));
                    format!("[{x}, {y}, {z}]")
                }
                4 => format!("[{}; 3]", self.expr(Real, next)),
                5 => format!("({}).v", self.expr(Body, next)),
                _ => format!("({}).speeds()", self.expr(Body, next)),
            },
            Rows => {
                let row = |maker: &mut Self| {
                    format!("[{}, {}]", maker.expr(Real, next), maker.expr(Real, next))
                };
                match choice {
                    0..=2 => format!("[{}; 2]", row(self)),
                    _ => format!("[{}, {}]", row(self), row(self)),
                }
            }
            Maybe => match choice {
                0..=3 => format!("Some({})", self.expr(Real, next)),
                4 => format!("({}).last", self.expr(Body, next)),
                5 if self.output == MaybePair => {
                    format!("Some(({})?.x)", self.known(MaybePair, next))
                }
                _ => format!("({}).positive()", self.expr(Pair, next)),
            },
            MaybePair => match choice {
                0..=4 => format!("Some({})", self.expr(Pair, next)),
                5..=7 if self.output == MaybePair => {
                    format!("Some(({})?.turned())", self.known(MaybePair, next))
                }
                _ => self.value(MaybePair),
            },
            Fallible => match choice {
                0..=2 => format!("Ok({})", self.expr(Real, next)),
                3 | 4 => format!("Err({})", self.expr(Mode, next)),
                5 | 6 if self.output == Fallible => {
                    format!("Ok(({})? * 0.5)", self.known(Fallible, next))
                }
                _ => format!("({}).checked()", self.expr(Pair, next)),
            },
            Both => format!("({}, {})", self.expr(Real, next), self.expr(Usize, next)),
        }
    }

    fn real(&mut self, choice: usize, next: usize) -> String {
        match choice {
            0 => format!("(-({}))", self.expr(Real, next)),
            1 => {
                let name = self.pick(&["abs", "sqrt", "floor", "to_bits"]);
                let x = self.expr(Real, next);
                match name {
                    "to_bits" => format!("from_bits(clean({x}).to_bits() ^ 1)"),
                    name => format!("({x}).{name}()"),
                }
            }
            2 => {
                let ty = self.pick(&ALL);
                let value = self.known(ty, next);
                self.as_real(ty, &format!("({value})"))
            }
            3 => {
                let name = self.pick(&["min", "max"]);
                let (x, y) = (self.expr(Real, next), self.expr(Real, next));
                format!("(({x}).{name}({y}) + 0.0)")
            }
            4 => {
                let array = self.expr(Triple, next);
                let at = self.index(3);
                format!("({array})[{at}]")
            }
            5 => format!("({}).x", self.expr(Pair, next)),
            6 if matches!(self.output, Maybe | MaybePair) => {
                format!("(({})?)", self.known(Maybe, next))
            }
            6 if self.output == Fallible => format!("(({})?)", self.known(Fallible, next)),
            _ => {
                let (x, y) = (self.expr(Real, next), self.expr(Real, next));
                format!("(({x}) {} ({y}))", self.pick(&["+", "-", "*", "/"]))
            }
        }
    }
}

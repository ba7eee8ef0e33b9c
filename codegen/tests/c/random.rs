//! Random programs of the part of Rust that is printed as C. They compile, do
//! not overflow, and end: integers are kept small and loops count.
//!
//! Expressions and statements are templates. Before a space `%` and `^` are Rust's
//! own; else
//!
//! | mark | stands for |
//! |---|---|
//! | `#Real` | an expression of that type; `#T` has the type that is asked for |
//! | `#?Maybe` | one whose type Rust can tell from it alone |
//! | `#!Real` | a local or a constant |
//! | `@Real`, `@mut Real` | a new name, known in the next block or after the statement |
//! | `%Real` | an expression in which new names are known |
//! | `%` | statements |
//! | `%%` | the body of a loop |
//! | `~Real` | a place that may be changed; without one there is no such statement |
//! | `^` | a statement that leaves a loop or the function |
//! | `$` | a name that nothing else has |
#![allow(unreachable_pub, dead_code)]

/// How many numbers a program reads and writes.
pub const SIZES: [usize; 2] = [6, 6];

/// A program with a `run`, decided by bytes; what they leave open is simple.
pub fn program(bytes: &[u8]) -> String {
    let mut maker = Maker { bytes, output: "Real", ..Maker::default() };
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
impl Pair {
    const UNIT: Self = Self { x: 1.0, n: 1 };
    fn new(x: Real, n: usize) -> Self { Self { x, n: n % 17 } }
    fn sum(&self) -> Real { self.x + self.n as Real }
    fn push(&mut self, by: Real) -> Real { self.x = self.x * 0.5 + by; self.n = (self.n + 1) % 17; self.x }
    fn turned(self) -> Self { Self { n: self.n, x: -self.x } }
    fn positive(&self) -> Option<Real> { if self.x > 0.0 { Some(self.x) } else { None } }
    fn checked(self) -> Result<Real, Mode> { if self.n < 9 { Ok(self.x) } else { Err(Mode::Slide) } }
}
impl Body {
    fn start(x: Real) -> Self {
        Self { pair: Pair { x, n: 1 }, v: [x, 1.0, -x], mode: Mode::FIRST, last: None }
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

/// A type: its name here and in Rust, values without locals, a number that shows
/// what `$` is, and values made of others.
struct Ty {
    name: &'static str,
    rust: &'static str,
    values: &'static [&'static str],
    shown: &'static str,
    made: &'static [&'static str],
}

const ALL: [Ty; 14] = [
    Ty {
        name: "Real",
        rust: "Real",
        values: &["HALF", "LESS", "MORE"],
        shown: "$",
        made: &[
            "((#Real) + (#Real))",
            "((#Real) - (#Real))",
            "((#Real) * (#Real))",
            "((#Real) / (#Real))",
            "(-(#Real))",
            "(#Real).abs()",
            "(#Real).sqrt()",
            "(#Real).floor()",
            "from_bits(clean(#Real).to_bits() ^ 1)",
            "(#Triple)[#!Usize % 3]",
            "(#Triple)[1]",
            "(#Pair).x",
        ],
    },
    Ty {
        name: "Bool",
        rust: "bool",
        values: &["true", "false"],
        shown: "($) as usize as Real",
        made: &[
            "((#Real) < (#Real))",
            "((#Real) >= (#Real))",
            "((#Real) != (#Real))",
            "!(#Bool)",
            "((#Bool) && (#Bool))",
            "((#Bool) || (#Bool))",
            "((#Bool) == (#Bool))",
            "((#Usize) < (#Usize))",
            "((#U64) >= (#U64))",
            "((#I32) < (#I32))",
            "((#Mode) == (#Mode))",
            "(#?Maybe).is_some()",
            "(#?Fallible).is_err()",
            "matches!(#Mode, Mode::Stick | Mode::Lift)",
            "matches!(#?Fallible, Err(Mode::Slide))",
        ],
    },
    Ty {
        name: "Usize",
        rust: "usize",
        values: &["0usize", "1usize", "7usize"],
        shown: "($) as Real",
        made: &[
            "((#Usize) % 5)",
            "(((#Usize) * 2 + (#Usize)) % 17)",
            "(((#Usize) + 17 - (#Usize) % 17) % 17)",
            "((#!U64 >> 3) % 7) as usize",
            "(#Pair).n",
            "(#Both).1",
            "Mode::COUNT",
            "((#Mode) as usize)",
        ],
    },
    Ty {
        name: "U64",
        rust: "u64",
        values: &["3u64", "0xffff_ffff_0000_0001u64"],
        shown: "(($) >> 40) as Real",
        made: &[
            "(#!U64 ^ 1).wrapping_add(#U64)",
            "(#!U64 ^ 1).wrapping_sub(#U64)",
            "(#!U64 ^ 1).wrapping_mul(#U64)",
            "(!(#U64))",
            "((#U64) << 13)",
            "((#U64) >> 7)",
            "((#U64) & (#U64))",
            "((#U64) | (#U64))",
            "((#U64) ^ (#U64))",
            "((#Usize) as u64)",
            "(bits(clean(#Real)) as u64)",
        ],
    },
    Ty {
        name: "I32",
        rust: "i32",
        values: &["5i32", "-3i32"],
        shown: "($) as Real",
        made: &[
            "(-(#I32))",
            "((#Usize) as i32)",
            "(clip(#Real) as i32)",
            "((#I32) / 3)",
            "((#I32) % 7)",
            "(((#I32) + (#I32)) % 100)",
            "(((#I32) - (#I32)) % 100)",
            "(((#I32) * (#I32)) % 100)",
        ],
    },
    Ty {
        name: "Mode",
        rust: "Mode",
        values: &["Mode::Stick", "Mode::Lift", "Mode::FIRST"],
        shown: "($).weight()",
        made: &["(#Mode).next()", "(#Body).mode"],
    },
    Ty {
        name: "Pair",
        rust: "Pair",
        values: &["Pair::UNIT", "(Pair { x: 2.0, n: 3 })", "Pair::new(0.5, 20)"],
        shown: "($).sum()",
        made: &[
            "(Pair { x: #Real, n: #Usize })",
            "(Pair { n: #Usize, x: #Real })",
            "(#Pair).turned()",
            "(#Body).pair",
            "(#?MaybePair).unwrap_or(Pair::UNIT)",
            "Pair::new(#Real, #Usize)",
        ],
    },
    Ty {
        name: "Body",
        rust: "Body",
        values: &["Body::start(0.5)", "Body::start(-2.0)"],
        shown: "({ let b = $; b.pair.sum() + b.v[0] - b.v[1] * 0.5 + b.v[2] + b.mode.weight() \
                + b.last.unwrap_or(7.0) })",
        made: &[
            "(Body { mode: #Mode, pair: #Pair, v: #Triple, last: #Maybe })",
            "Body::start(#Real)",
        ],
    },
    Ty {
        name: "Triple",
        rust: "[Real; 3]",
        values: &["[LESS, MORE, 0.5]", "ORIGIN", "[MORE; 3]"],
        shown: "({ let [a, b, c] = $; a - b * 0.5 + c })",
        made: &["[#Real, #Real, #Real]", "[#Real; 3]", "(#Body).v", "(#Body).speeds()"],
    },
    Ty {
        name: "Rows",
        rust: "[[Real; 2]; 2]",
        values: &["[[HALF, 2.0], [3.0, -4.0]]", "[[LESS; 2]; 2]"],
        shown: "({ let [[a, b], [c, d]] = $; a - b * 0.5 + c * 3.0 - d })",
        made: &["[[#Real, #Real]; 2]", "[[#Real, #Real], [#Real, #Real]]"],
    },
    Ty {
        name: "Maybe",
        rust: "Option<Real>",
        values: &["Some(0.25)", "None"],
        shown: "($).unwrap_or(-3.0)",
        made: &["Some(#Real)", "(#Body).last", "(#Pair).positive()"],
    },
    Ty {
        name: "MaybePair",
        rust: "Option<Pair>",
        values: &["Some(Pair::UNIT)", "None"],
        shown: "(match $ { Some(p) => p.sum(), None => 0.125 })",
        made: &["Some(#Pair)"],
    },
    Ty {
        name: "Fallible",
        rust: "Result<Real, Mode>",
        values: &["Ok(0.25)", "Err(Mode::Slide)", "Err(Mode::Lift)"],
        shown: "(match $ { Ok(x) => x, Err(m) => m.weight() - 4.0 })",
        made: &["Ok(#Real)", "Err(#Mode)", "(#Pair).checked()"],
    },
    Ty {
        name: "Both",
        rust: "(Real, usize)",
        values: &["(MORE, 2usize)", "(LESS, 0usize)"],
        shown: "({ let (x, n) = $; x + n as Real })",
        made: &["(#Real, #Usize)"],
    },
];

/// Values of any type.
const ANY: [&str; 8] = [
    "(if #Bool { #T } else { #T })",
    "(if #Bool { #T } else { %; #T })",
    "({ %; #T })",
    "(if let Some(@Real) = (#?Maybe) { %T } else { #T })",
    "(match #Mode { Mode::Stick | Mode::Lift => #T, Mode::Slide => #T })",
    "(match #?Maybe { Some(@Real) => %T, None => #T })",
    "(match #?Fallible { Ok(@Real) => %T, Err(Mode::Slide) => #T, Err(@Mode) => %T })",
    "(match #Usize { 0 => #T, 1 | 2 => #T, 3 => #T, _ => { %; #T } })",
];

/// Values that leave functions of some results.
const TRIED: [(&str, &str, &str); 4] = [
    ("Maybe", "Real", "(#?Maybe)?"),
    ("MaybePair", "Real", "(#?Maybe)?"),
    ("MaybePair", "Pair", "(#?MaybePair)?"),
    ("Fallible", "Real", "(#?Fallible)?"),
];

const STATEMENTS: [&str; 40] = [
    "let @T: T = #T;\n",
    "let @mut T: T = #T;\n",
    "let @mut Real = #Real;\n",
    "let @mut Triple = #Triple;\n",
    "let @mut Body = #Body;\n",
    "let [@Real, _, @Real] = #Triple;\n",
    "let (@Real, @Usize) = #Both;\n",
    "let Pair { x: @Real, n: @Usize } = #Pair;\n",
    "let Body { pair: @Pair, v: [_, @Real, _], .. } = #Body;\n",
    "let [@Real, @Real] = [#Real, #Real];\n",
    "~Real = #Real;\n",
    "~Triple = #Triple;\n",
    "~Rows = #Rows;\n",
    "~Pair = #Pair;\n",
    "~Body = #Body;\n",
    "~Maybe = #Maybe;\n",
    "~Real += #Real;\n",
    "~Real -= #Real;\n",
    "~Real *= #Real;\n",
    "let @Real = bump(&mut ~Real);\n",
    "count(&mut ~Usize);\n",
    "let @Usize = fill(&mut ~Triple, #Real).unwrap_or(3);\n",
    "let @Real = ~Pair.push(#Real);\n",
    "let @Usize = ~Body.strike(#Usize, #Real);\n",
    "if #Bool {\n%}\n",
    "if #Bool {\n%} else {\n%}\n",
    "if #Bool { ^}\n",
    "if let Some(@Real) = (#?Maybe) {\n%} else {\n%}\n",
    "if let Ok(@Real) = (#?Fallible) {\n%}\n",
    "let Some(@Pair) = (#?MaybePair) else { ^};\n",
    "let Ok(@Real) = (#?Fallible) else { ^};\n",
    "for @Usize in 0..3usize {\n%%}\n",
    "for @Usize in (1..=#!Usize % 4).rev() {\n%%}\n",
    "for [@Real, @Real] in #Rows {\n%%}\n",
    "for (@Usize, &@Real) in {#Triple}.iter().enumerate() {\n%%}\n",
    "for $ in &mut ~Triple {\n*$ = *$ * 0.5 + HALF;\n}\n",
    "let mut $ = 0usize;\nloop {\n$ += 1;\nif $ > 3 { break; }\n%%}\n",
    "let mut $ = 0usize;\nwhile $ < 4 && #Bool {\n$ += 1;\n%%}\n",
    "match #Mode {\nMode::Stick => {\n%}\nMode::Slide => {\n%}\n_ => {\n%}\n}\n",
    "match #?Maybe {\nSome(@Real) => {\n%}\nNone => {\n%}\n}\n",
];

/// Parts of places: of a type, the type and how it is reached.
const PARTS: [(&str, &str, &str); 10] = [
    ("Pair", "Real", ".x"),
    ("Body", "Real", ".pair.x"),
    ("Body", "Real", ".v[#!Usize % 3]"),
    ("Body", "Pair", ".pair"),
    ("Body", "Triple", ".v"),
    ("Body", "Mode", ".mode"),
    ("Body", "Maybe", ".last"),
    ("Triple", "Real", "[#!Usize % 3]"),
    ("Triple", "Real", "[2]"),
    ("Rows", "Real", "[#!Usize % 2][1]"),
];

fn of_name(name: &str) -> &'static Ty {
    ALL.iter().find(|ty| ty.name == name).unwrap_or_else(|| panic!("no type {name}"))
}

#[derive(Clone)]
struct Local {
    name: String,
    ty: &'static str,
    mutable: bool,
    /// Whether it is a reference, and must be dereferenced.
    reference: bool,
}

#[derive(Clone)]
struct Function {
    name: String,
    /// Types, and how they are passed: by value, `&` or `&mut `.
    parameters: Vec<(&'static str, &'static str)>,
    output: &'static str,
}

#[derive(Default)]
struct Maker<'a> {
    bytes: &'a [u8],
    text: String,
    functions: Vec<Function>,
    scope: Vec<Local>,
    /// Locals before this one are not changed: an operand must not change what
    /// another reads.
    floor: usize,
    /// Names that are borrowed for the moment.
    blocked: Vec<String>,
    output: &'static str,
    loops: usize,
    /// Statements that may yet be made in this function.
    budget: usize,
    names: usize,
}

impl Maker<'_> {
    fn below(&mut self, n: usize) -> usize {
        match self.bytes.split_first() {
            Some((first, rest)) => {
                self.bytes = rest;
                usize::from(*first) % n
            }
            None => 0,
        }
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    fn any_type(&mut self) -> &'static str {
        ALL[self.below(ALL.len())].name
    }

    fn bind(&mut self, name: &str, ty: &'static str, mutable: bool) {
        self.scope.push(Local { name: name.to_owned(), ty, mutable, reference: false });
    }

    /// Visible locals that are not borrowed, with their places in the scope.
    fn visible(&self, fits: impl Fn(&Local) -> bool) -> Vec<(usize, Local)> {
        let mut seen: Vec<&str> = Vec::new();
        let mut found = Vec::new();
        for (i, local) in self.scope.iter().enumerate().rev() {
            if seen.contains(&local.name.as_str()) {
                continue;
            }
            seen.push(&local.name);
            if fits(local) && !self.blocked.contains(&local.name) {
                found.push((i, local.clone()));
            }
        }
        found
    }

    fn function(&mut self, i: usize) {
        let output = self.any_type();
        let (mut parameters, mut declared) = (Vec::new(), Vec::new());
        self.scope.clear();
        for k in 0..1 + self.below(3) {
            let (ty, passing) = (self.any_type(), self.pick(&["", "mut ", "&", "&mut "]));
            let name = format!("p{k}");
            declared.push(match passing {
                "mut " => format!("mut {name}: {}", of_name(ty).rust),
                passing => format!("{name}: {passing}{}", of_name(ty).rust),
            });
            let (mutable, reference) = (passing.ends_with("mut "), passing.starts_with('&'));
            parameters.push((ty, if reference { passing } else { "" }));
            self.scope.push(Local { name, ty, mutable, reference });
        }
        (self.output, self.floor, self.loops, self.budget) = (output, 0, 0, 14);
        let mut body = String::new();
        for _ in 0..2 + self.below(4) {
            body += &self.statement(3);
        }
        body += &self.expr(output, 3);
        let name = format!("f{i}");
        self.text += &format!(
            "fn {name}({}) -> {} {{\n{body}\n}}\n",
            declared.join(", "),
            of_name(output).rust
        );
        self.functions.push(Function { name, parameters, output });
    }

    fn run(&mut self) {
        self.scope.clear();
        (self.output, self.floor, self.budget) = ("Bool", 0, 0);
        let mut lines = String::new();
        let inputs = (0..SIZES[0]).map(|i| (format!("x{i}"), "Real", format!("input[{i}]")));
        let others = [
            ("body", "Body", "Body::start(x0)"),
            ("pair", "Pair", "Pair::new(x1, 3)"),
            ("n", "Usize", "2"),
            ("m", "U64", "bits(clean(x3)) as u64"),
            ("v", "Triple", "[x0, x1, x2]"),
        ];
        let others = others.map(|(name, ty, value)| (name.to_owned(), ty, value.to_owned()));
        for (name, ty, value) in inputs.chain(others) {
            lines += &format!("let mut {name}: {} = {value};\n", of_name(ty).rust);
            self.bind(&name, ty, true);
        }
        for i in 0..SIZES[1] {
            let last = self.functions.len().checked_sub(1 + i);
            let (ty, value) = match last.map(|at| self.functions[at].clone()) {
                Some(function) => (function.output, self.call(&function, 1)),
                None => ("Real", self.expr("Real", 2)),
            };
            let shown = of_name(ty).shown.replace('$', "result");
            lines += &format!("let result = {value};\noutput[{i}] = {shown};\n");
        }
        let [inputs, outputs] = SIZES;
        self.text += &format!(
            "pub fn run(input: &[Real; {inputs}], output: &mut [Real; {outputs}]) {{\n{lines}}}\n"
        );
    }

    fn statements(&mut self, depth: usize) -> String {
        (0..1 + self.below(3)).map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: usize) -> String {
        let Some(left) = self.budget.checked_sub(1) else { return String::new() };
        self.budget = left;
        let template = self.pick(&STATEMENTS);
        let (scope, ty) = (self.scope.clone(), self.any_type());
        let template = template.replace(": T", &format!(": {}", of_name(ty).rust));
        let blocked = self.blocked.len();
        let text = self.expanded(&template, ty, depth.saturating_sub(1));
        self.blocked.truncate(blocked);
        text.unwrap_or_else(|| {
            self.scope = scope;
            String::new()
        })
    }

    fn expr(&mut self, ty: &'static str, depth: usize) -> String {
        let Some(next) = depth.checked_sub(1) else { return self.operand(ty) };
        let choice = self.below(12);
        let tried: Vec<_> =
            TRIED.iter().filter(|tried| tried.0 == self.output && tried.1 == ty).collect();
        let template = match choice {
            0 | 1 => return self.operand(ty),
            2 | 3 => self.pick(&ANY),
            4 => match self.callable(ty) {
                Some(function) => return self.call(&function, next),
                None => self.pick(of_name(ty).made),
            },
            5 if !tried.is_empty() => tried[0].2,
            6 if ty == "Real" => {
                let other = self.any_type();
                let value = format!("(#?{other})");
                return self.operation(&of_name(other).shown.replace('$', &value), ty, next);
            }
            _ => self.pick(of_name(ty).made),
        };
        self.operation(template, ty, next)
    }

    /// An expression from its template: it changes nothing outside.
    fn operation(&mut self, template: &str, ty: &'static str, depth: usize) -> String {
        let (scope, floor) = (self.scope.len(), self.floor);
        let loops = std::mem::replace(&mut self.loops, 0);
        self.floor = scope;
        let text = self.expanded(template, ty, depth);
        self.scope.truncate(scope);
        (self.floor, self.loops) = (floor, loops);
        text.unwrap_or_else(|| self.operand(ty))
    }

    /// A template with all marks replaced; nothing if there is no such place.
    fn expanded(&mut self, template: &str, ty: &'static str, depth: usize) -> Option<String> {
        self.names += 1;
        let own = format!("y{}", self.names);
        let mut text = String::new();
        let mut pending: Vec<(String, &'static str, bool)> = Vec::new();
        let mut rest = template;
        while let Some(at) = rest.find(['#', '@', '%', '~', '^', '$']) {
            text += &rest[..at];
            let mark = &rest[at..=at];
            rest = &rest[at + 1..];
            if matches!(mark, "%" | "^") && rest.starts_with(' ') {
                text += mark;
                continue;
            }
            let sub = ["?", "!", ";", "%", "mut "].into_iter().find(|sub| rest.starts_with(sub));
            let sub = sub.filter(|_| !matches!(mark, "$" | "^" | "~")).unwrap_or("");
            rest = &rest[sub.len()..];
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
            let named = !matches!((mark, sub), ("$" | "^", _) | ("%", ";" | "%"));
            let (word, after) = rest.split_at(if named { end } else { 0 });
            rest = after;
            let kind = match word {
                "T" | "" => ty,
                word => of_name(word).name,
            };
            let scope = self.scope.len();
            if mark == "%" {
                pending.drain(..).for_each(|(name, ty, mutable)| self.bind(&name, ty, mutable));
            }
            text += &match (mark, sub) {
                ("$", _) => own.clone(),
                ("^", _) => self.leave(depth),
                ("~", _) => {
                    let place = self.place(kind)?;
                    if !text.ends_with("&mut ") && !rest.starts_with('.') {
                        self.blocked.pop();
                    }
                    place
                }
                ("@", sub) => {
                    let name = self.name(&pending);
                    pending.push((name.clone(), kind, sub == "mut "));
                    format!("{sub}{name}")
                }
                ("#", "!") => self.operand(kind),
                ("#", "?") => self.known(kind, depth),
                ("%", ";") => self.statements(depth),
                ("%", "%") => {
                    self.loops += 1;
                    let body = self.statements(depth);
                    self.loops -= 1;
                    body
                }
                ("%", _) if word.is_empty() => self.statements(depth),
                _ => self.expr(kind, depth),
            };
            if mark == "%" && sub != ";" {
                self.scope.truncate(scope);
            }
        }
        pending.into_iter().for_each(|(name, ty, mutable)| self.bind(&name, ty, mutable));
        Some(text + rest)
    }

    /// Few names, so that they shadow each other.
    fn name(&mut self, pending: &[(String, &'static str, bool)]) -> String {
        self.names += 1;
        let name = self.pick(&["", "a", "b", "value", "i", "matched", "next", "tried"]);
        match name.is_empty() || pending.iter().any(|(other, ..)| other == name) {
            true => format!("x{}", self.names),
            false => name.to_owned(),
        }
    }

    /// A place that can be changed, whose local is blocked from here on.
    fn place(&mut self, ty: &'static str) -> Option<String> {
        let mut places = Vec::new();
        for (i, local) in self.visible(|local| local.mutable) {
            let Local { name, ty: known, reference, .. } = local;
            if i >= self.floor && known == ty {
                let place = if reference { format!("(*{name})") } else { name.clone() };
                places.push((name.clone(), place));
            }
            for (whole, part, reached) in PARTS {
                if i >= self.floor && whole == known && part == ty {
                    places.push((name.clone(), format!("{name}{reached}")));
                }
            }
        }
        let (name, place) = match places.len() {
            0 => return None,
            n => places.swap_remove(self.below(n)),
        };
        let place = self.expanded(&place, ty, 0);
        self.blocked.push(name);
        place
    }

    /// A statement that leaves a loop or the function.
    fn leave(&mut self, depth: usize) -> String {
        match self.below(3) {
            0 if self.loops > 0 => "break;".to_owned(),
            1 if self.loops > 0 => "continue;".to_owned(),
            _ => format!("return {};", self.expr(self.output, depth.min(1))),
        }
    }

    /// A function that gives a type and changes nothing.
    fn callable(&mut self, ty: &str) -> Option<Function> {
        let pure = |f: &&Function| f.output == ty && f.parameters.iter().all(|p| p.1 != "&mut ");
        let functions: Vec<Function> = self.functions.iter().filter(pure).cloned().collect();
        (!functions.is_empty()).then(|| functions[self.below(functions.len())].clone())
    }

    /// A call. What it changes is not used beside it.
    fn call(&mut self, function: &Function, depth: usize) -> String {
        let blocked = self.blocked.len();
        let mut changed = Vec::new();
        for (ty, passing) in &function.parameters {
            let fits = |local: &Local| local.ty == *ty && local.mutable && !local.reference;
            let local = self.visible(fits).into_iter().next().filter(|_| *passing == "&mut ");
            self.blocked.extend(local.iter().map(|(_, local)| local.name.clone()));
            changed.push(local);
        }
        let mut arguments = Vec::new();
        for ((ty, passing), local) in function.parameters.iter().zip(changed) {
            arguments.push(match (*passing, local) {
                ("&mut ", Some((_, local))) => format!("&mut {}", local.name),
                ("&mut ", None) => format!("&mut ({})", self.value(ty)),
                ("&", _) => format!("&{}", self.operand(ty)),
                _ => self.expr(ty, depth),
            });
        }
        self.blocked.truncate(blocked);
        format!("{}({})", function.name, arguments.join(", "))
    }

    fn operand(&mut self, ty: &'static str) -> String {
        let locals = self.visible(|local| local.ty == ty);
        match locals.len() {
            0 => self.value(ty),
            n => {
                let (_, local) = &locals[self.below(n)];
                if local.reference { format!("(*{})", local.name) } else { local.name.clone() }
            }
        }
    }

    fn value(&mut self, ty: &str) -> String {
        self.pick(of_name(ty).values).to_owned()
    }

    /// A value whose type Rust can tell from it alone.
    fn known(&mut self, ty: &'static str, depth: usize) -> String {
        let value = self.expr(ty, depth);
        match ty {
            "Maybe" => format!("maybe({value})"),
            "MaybePair" => format!("maybe_pair({value})"),
            "Fallible" => format!("fallible({value})"),
            _ => value,
        }
    }
}

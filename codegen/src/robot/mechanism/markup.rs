//! The part of a URDF that dynamics needs, checked as text.
//!
//! A URDF is untrusted input, and the parsers below `urdf-rs` are not hardened: they
//! recurse as deep as the text does, panic on namespaces and skip invalid numbers. So
//! the text is read here first, without recursion; `urdf-rs` then gets only known
//! elements with checked attributes.

use crate::Error;

/// Longer texts are refused.
const MAX_BYTES: usize = 16 << 20;

/// Deeper nesting is refused.
const MAX_DEPTH: usize = 100;

/// Larger numbers are refused.
const MAX_NUMBER: f64 = 1e12;

const JOINTS: [&str; 7] =
    ["revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical"];

/// Attributes and children that an element must have.
fn required(element: &str) -> (&'static [&'static str], &'static [&'static str]) {
    match element {
        "link" => (&["name"], &[]),
        "joint" => (&["name", "type"], &["parent", "child"]),
        "inertial" => (&[], &["mass", "inertia"]),
        "mass" => (&["value"], &[]),
        "inertia" => (&["ixx", "ixy", "ixz", "iyy", "iyz", "izz"], &[]),
        "parent" | "child" => (&["link"], &[]),
        "axis" => (&["xyz"], &[]),
        "mimic" => (&["joint"], &[]),
        _ => (&[], &[]),
    }
}

fn kept(path: &[&str]) -> bool {
    matches!(
        path,
        ["robot"]
            | ["robot", "link" | "joint"]
            | ["robot", "link", "inertial"]
            | ["robot", "link", "inertial", "origin" | "mass" | "inertia"]
            | ["robot", "joint", "origin" | "parent" | "child" | "axis" | "mimic"]
    )
}

/// The text with only the elements that dynamics needs.
///
/// # Errors
/// [`Error::UrdfText`] with the line where the text is not well formed or unsafe
/// to parse, [`Error::UrdfElement`] for an invalid link or joint.
pub(super) fn outline(text: &str) -> Result<String, Error> {
    if text.len() > MAX_BYTES {
        let reason = format!("{} bytes, more than {MAX_BYTES}", text.len());
        return Err(Error::UrdfText { line: 1, reason });
    }
    let mut scan = Scan { text, at: 0, open: Vec::new(), out: String::new(), done: false };
    while scan.tag()? {}
    scan.at = text.len();
    match scan.done {
        true => Ok(scan.out),
        false => Err(scan.error("the text ends before `</robot>`")),
    }
}

/// An open element.
struct Open<'a> {
    name: &'a str,
    kept: bool,
    /// `link` or `joint` and its name, for messages.
    owner: String,
    children: Vec<&'a str>,
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
    open: Vec<Open<'a>>,
    out: String,
    done: bool,
}

impl<'a> Scan<'a> {
    fn error(&self, reason: impl Into<String>) -> Error {
        let line = 1 + self.text.as_bytes()[..self.at].iter().filter(|&&b| b == b'\n').count();
        Error::UrdfText { line, reason: reason.into() }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// Skips past `mark`; returns the text before it.
    fn until(&mut self, mark: &str) -> Result<&'a str, Error> {
        let rest = self.rest();
        let Some(length) = rest.find(mark) else {
            return Err(self.error(format!("the text ends before `{mark}`")));
        };
        self.at += length + mark.len();
        Ok(&rest[..length])
    }

    fn accept(&mut self, mark: &str) -> bool {
        let found = self.rest().starts_with(mark);
        self.at += if found { mark.len() } else { 0 };
        found
    }

    fn skip_space(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    /// A name of an element or attribute.
    fn name(&mut self) -> Result<&'a str, Error> {
        let part = |c: char| c.is_alphanumeric() || "_-.:".contains(c);
        let rest = self.rest();
        let length = rest.find(|c| !part(c)).unwrap_or(rest.len());
        if length == 0 {
            return Err(self.error("a name was expected"));
        }
        self.at += length;
        Ok(&rest[..length])
    }

    /// Reads up to the end of the next tag; false at the end of the text.
    fn tag(&mut self) -> Result<bool, Error> {
        let Some(length) = self.rest().find('<') else { return Ok(false) };
        self.at += length + 1;
        if self.accept("!--") {
            self.until("-->")?;
        } else if self.accept("?") {
            self.until("?>")?;
        } else if self.accept("![CDATA[") {
            self.until("]]>")?;
        } else if self.accept("!") {
            return Err(self.error("document types and entities are not read"));
        } else if self.accept("/") {
            let name = self.name()?;
            self.skip_space();
            if !self.accept(">") {
                return Err(self.error(format!("`</{name}` is not closed")));
            }
            self.end(name)?;
        } else {
            self.start()?;
        }
        Ok(true)
    }

    fn start(&mut self) -> Result<(), Error> {
        let name = self.name()?;
        if name.starts_with("xacro:") {
            return Err(
                self.error(format!("`{name}` is a macro; expand the file with xacro first"))
            );
        }
        if self.open.is_empty() && (self.done || name != "robot") {
            return Err(self.error(format!("`{name}` stands where one `robot` should")));
        }
        if self.open.len() == MAX_DEPTH {
            return Err(self.error(format!("elements are nested more than {MAX_DEPTH} deep")));
        }
        let mut attributes = Vec::new();
        let empty = loop {
            self.skip_space();
            if self.accept("/>") {
                break true;
            }
            if self.accept(">") {
                break false;
            }
            let (attribute, value) = self.attribute()?;
            if attributes.iter().any(|&(a, _)| a == attribute) {
                return Err(self.error(format!("`{attribute}` is given twice")));
            }
            attributes.push((attribute, value));
        };
        self.enter(name, &attributes)?;
        if empty { self.end(name) } else { Ok(()) }
    }

    fn attribute(&mut self) -> Result<(&'a str, &'a str), Error> {
        let name = self.name()?;
        self.skip_space();
        if !self.accept("=") {
            return Err(self.error(format!("`{name}` has no value")));
        }
        self.skip_space();
        let value = if self.accept("\"") {
            self.until("\"")?
        } else if self.accept("'") {
            self.until("'")?
        } else {
            return Err(self.error(format!("the value of `{name}` is not quoted")));
        };
        if value.contains('<') {
            return Err(self.error(format!("the value of `{name}` contains `<`")));
        }
        Ok((name, value))
    }

    /// Opens an element, writing it out if it is one to keep.
    fn enter(&mut self, name: &'a str, attributes: &[(&'a str, &'a str)]) -> Result<(), Error> {
        let path: Vec<_> = self.open.iter().map(|open| open.name).chain([name]).collect();
        let kept = kept(&path);
        let named = attributes.iter().find(|(a, _)| *a == "name").map_or("", |(_, value)| value);
        let owner = match path.len() {
            2 => format!("{name} `{named}`"),
            _ => self.open.last().map_or(String::new(), |open| open.owner.clone()),
        };
        if kept {
            let wrong = |reason| Error::UrdfElement { owner: owner.clone(), reason };
            if let Some(missing) =
                required(name).0.iter().find(|r| attributes.iter().all(|(a, _)| a != *r))
            {
                return Err(wrong(format!("`{name}` has no `{missing}`")));
            }
            self.out.push_str(&format!("<{name}"));
            for (attribute, value) in attributes {
                // White space of any kind counts as a space, as XML has it.
                let value = &value.replace(['\t', '\n', '\r'], " ");
                if value.contains('&') || value.contains(char::is_control) {
                    let what = "has an entity or a control character";
                    return Err(wrong(format!("{name} {attribute} = {value:?} {what}")));
                }
                if checked(attribute, value)
                    .map_err(|what| wrong(format!("{name} {attribute} = \"{value}\" {what}")))?
                {
                    let quote = if value.contains('"') { '\'' } else { '"' };
                    self.out.push_str(&format!(" {attribute}={quote}{value}{quote}"));
                }
            }
            self.out.push('>');
            if let Some(parent) = self.open.last_mut() {
                if path.len() > 2 && parent.children.contains(&name) {
                    return Err(wrong(format!("`{name}` is given twice")));
                }
                parent.children.push(name);
            }
        }
        self.open.push(Open { name, kept, owner, children: Vec::new() });
        Ok(())
    }

    /// Closes an element.
    fn end(&mut self, name: &str) -> Result<(), Error> {
        let Some(open) = self.open.pop().filter(|open| open.name == name) else {
            return Err(self.error(format!("`</{name}>` closes nothing")));
        };
        if open.kept {
            if let Some(missing) = required(name).1.iter().find(|r| !open.children.contains(r)) {
                let reason = format!("`{name}` has no `{missing}`");
                return Err(Error::UrdfElement { owner: open.owner, reason });
            }
            self.out.push_str(&format!("</{name}>"));
        }
        self.done |= self.open.is_empty();
        Ok(())
    }
}

/// Checks an attribute's value; returns whether to keep the attribute.
fn checked(attribute: &str, value: &str) -> Result<bool, &'static str> {
    let wanted = match attribute {
        "name" | "version" | "link" | "joint" => return Ok(true),
        "type" if JOINTS.contains(&value) => return Ok(true),
        "type" => return Err("is no type of joint"),
        "value" | "ixx" | "ixy" | "ixz" | "iyy" | "iyz" | "izz" => 1,
        "xyz" | "rpy" => 3,
        "quat_xyzw" => 4,
        _ => return Ok(false),
    };
    let mut count = 0;
    for word in value.split_whitespace() {
        let number: f64 = word.parse().map_err(|_| "is not a number")?;
        if !number.is_finite() {
            return Err("is not finite");
        }
        if number.abs() > MAX_NUMBER {
            return Err("is larger than any robot's");
        }
        count += 1;
    }
    if count == wanted { Ok(true) } else { Err("has the wrong number of numbers") }
}

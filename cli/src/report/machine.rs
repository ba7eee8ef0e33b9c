//! What the page was made with.

use std::{fs, thread};

use maud::html;

use super::page::Section;
use crate::output::Failure;

pub(super) fn section() -> Result<Section, Failure> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let symbolica =
        if cfg!(feature = "symbolica") { "derived by Symbolica" } else { "as committed" };
    let rows = [
        ("routh", env!("CARGO_PKG_VERSION").to_owned()),
        ("compiler", env!("ROUTH_RUSTC").to_owned()),
        ("derivations", symbolica.to_owned()),
        ("processor", processor().unwrap_or_else(|| "unknown".to_owned())),
        ("cores", cores.to_string()),
        ("system", format!("{} on {}", std::env::consts::OS, std::env::consts::ARCH)),
    ];
    let body = html! {
        p { "Times on this page are from this machine, which may have been busy: compare "
            "them within a row only." }
        div.wide { table { tbody {
            @for (name, value) in rows { tr { th { (name) } td.words { (value) } } }
        } } }
    };
    Ok(Section { id: "machine", title: "Machine", body })
}

/// The processor's name, where the system tells it.
fn processor() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

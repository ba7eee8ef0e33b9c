//! The page about its sections: one file, with style, scripts and module in it.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = include_str!("../../page/page.css");
const SOLVER: &str = include_str!("../../page/solver.js");
const LIVE: &str = include_str!("../../page/live.js");
const MODULE: &[u8] = include_bytes!("../../page/routh.wasm");

/// A part of the page.
pub(crate) struct Section {
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    pub(super) body: Markup,
}

/// A drawing and what it shows.
pub(super) fn figure(drawing: &str, caption: &str) -> Markup {
    html! {
        figure {
            div.drawing role="img" aria-label=(caption) { (PreEscaped(drawing)) }
            figcaption { (caption) }
        }
    }
}

pub(crate) fn page(sections: &[Section]) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                link rel="icon" href="data:,";
                title { "Routh: rigid impact with friction" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { "Routh" }
                    p { "Rigid impact with friction, solved exactly and fast." }
                    button #theme type="button" aria-label="Dark or light" { "◐" }
                }
                nav { @for section in sections { a href={ "#" (section.id) } { (section.title) } } }
                main {
                    @for section in sections {
                        section id=(section.id) { h2 { (section.title) } (section.body) }
                    }
                }
                script type="text/plain" #module { (BASE64_STANDARD.encode(MODULE)) }
                script { (PreEscaped(SOLVER)) }
                script { (PreEscaped(LIVE)) }
            }
        }
    }
}

//! `routh report`: one page with all that the bundled examples show.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use crate::output::{Failure, Progress, write_file};
use crate::report::{PARTS, page};

/// Make a page of results for the bundled examples
///
/// DIR/index.html needs nothing else: it opens from disk, without a network, on a
/// phone too. It begins with an impact that is solved as you move it, by the solver
/// itself as WebAssembly; then the papers' tables and figures next to computed
/// values, misprints marked; steps and time of the series against other
/// integrators, measured while the page is made; the compiled flow, chains of
/// compliant bodies, simultaneous contacts, and the versions used.
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = EXAMPLES)]
pub(crate) struct Report {
    /// Folder of the page; it is made if there is none
    #[arg(short = 'o', long = "output", value_name = "DIR")]
    folder: PathBuf,
}

const EXAMPLES: &str = "\
Examples, from any folder:
  routh report -o /tmp/report";

impl Report {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let shown = self.folder.display().to_string();
        fs::create_dir_all(&self.folder).map_err(|source| Failure::File { path: shown, source })?;
        let progress = Progress::of_parts(PARTS.len());
        let mut sections = Vec::new();
        for (name, section) in PARTS {
            progress.part(name);
            sections.push(section()?);
        }
        drop(progress);
        let path = self.folder.join("index.html");
        write_file(&path, &page(&sections).into_string())?;
        writeln!(io::stdout(), "{}", path.display()).map_err(Failure::Write)
    }
}

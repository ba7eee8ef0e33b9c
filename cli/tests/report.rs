//! `routh report`: one page that needs nothing else, with every number of the papers.
//! That it works in a browser is tested by `cli/web/run`.

mod routh;

use std::fs;
use std::path::Path;

use routh::{folder, routh};

#[test]
fn the_page_has_all_sections_and_needs_nothing_else() {
    let folder = folder("report") + "/made/on/the/way";
    let run = routh(&["report", "-o", &folder], "");
    let index = Path::new(&folder).join("index.html");
    assert_eq!(Path::new(run.printed().trim()), index);
    let left: Vec<_> =
        fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(left, ["index.html"]);

    let page = fs::read_to_string(index).unwrap();
    for id in ["impact", "spatial", "planar", "precision", "flow", "chain", "contacts", "machine"] {
        assert!(page.contains(&format!("<section id=\"{id}\">")), "{id}");
    }
    assert_eq!(page.matches("<figure>").count(), 12);
    // Names of namespaces are no addresses.
    let page = page.replace("http://www.w3.org/2000/svg", "");
    for address in ["http:", "https:", "src=", "<link rel=\"stylesheet\"", "@import", "url("] {
        assert!(!page.contains(address), "{address}");
    }
    let reads =
        ["processor", "rustc 1.", concat!("<td class=\"words\">", env!("CARGO_PKG_VERSION"))];
    assert!(reads.iter().all(|text| page.contains(text)));
}

/// What the papers print wrongly, as the errata have it, and nothing else; in Table 1 of
/// the chain paper a duration is 0.345 ms, which is read off a plot.
#[test]
fn misprints_are_marked() {
    let folder = folder("misprints");
    routh(&["report", "-o", &folder], "").printed();
    let page = fs::read_to_string(folder + "/index.html").unwrap();
    let marked: Vec<&str> = page
        .split("<td class=\"misprint\">")
        .skip(1)
        .map(|cell| cell.split("</td>").next().unwrap())
        .collect();
    let expected = [
        ("−0.0031341", "−0.031342"),
        ("−0.00029383", "−0.00293"),
        ("−0.010067", "−0.100297"),
        ("0.00070989", "0.007"),
        ("33.895", "0.339004"),
        ("0.016325", "−1.9906"),
        ("0.048894", "−0.0489"),
        ("0.025000", "−0.025"),
        ("0.34955", "0.345"),
    ];
    assert_eq!(marked.len(), expected.len(), "{marked:?}");
    for (cell, (found, printed)) in marked.iter().zip(expected) {
        assert!(cell.starts_with(found) && cell.contains(&format!(">{printed}<")), "{cell}");
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let file = folder("no_folder") + "/file";
    fs::write(&file, "").unwrap();
    let run = routh(&["report", "-o", &file], "");
    assert_eq!((run.status, run.out.as_str()), (1, ""));
    assert!(run.err.contains(&file), "{}", run.err);
    assert_eq!(fs::read_to_string(file).unwrap(), "");
    assert_eq!(routh(&["report"], "").status, 2);
}

//! A figure: points as they were measured, and the laws they follow.

use std::error::Error;
use std::ops::Range;

use plotters::prelude::*;
use routh_plots::{Area, FINE, TITLE, axes_as, colour, grid, legend};

use crate::axis::{Axis, Division, label};
use crate::law::{Law, figures};

/// The size of a panel, in pixels.
const SIZE: (u32, u32) = (700, 560);
const COLUMNS: usize = 2;
/// The most labels of an axis.
const LABELS: [usize; 2] = [11, 11];
/// Pieces of a law's line.
const PIECES: usize = 120;

/// Panels beside each other, and what is to be said beside the laws.
pub(crate) struct Figure {
    pub(crate) panels: Vec<Panel>,
    pub(crate) notes: Vec<String>,
}

/// One quantity over what it grows with.
pub(crate) struct Panel {
    pub(crate) title: &'static str,
    /// What it grows with, as laws write it.
    pub(crate) letter: &'static str,
    pub(crate) axes: [Axis; 2],
    pub(crate) corner: SeriesLabelPosition,
    pub(crate) shown: Vec<Shown>,
}

/// A curve with its law.
#[derive(Clone)]
pub(crate) struct Shown {
    pub(crate) name: String,
    pub(crate) points: Vec<[f64; 2]>,
    /// The law, and the points it was fitted to.
    pub(crate) law: Option<(Law, Vec<[f64; 2]>)>,
    /// Which colour it has; its place if none is said.
    pub(crate) colour: Option<usize>,
    /// Whether its marks are rings.
    pub(crate) rings: bool,
}

impl Panel {
    /// A panel with decades upwards and its legend in the upper left corner.
    pub(crate) fn new(
        title: &'static str,
        (letter, along): (&'static str, Axis),
        up: &'static str,
        shown: impl IntoIterator<Item = Shown>,
    ) -> Self {
        let axes = [along, Axis { name: up, division: Division::Decades }];
        let corner = SeriesLabelPosition::UpperLeft;
        Self { title, letter, axes, corner, shown: shown.into_iter().collect() }
    }

    /// With its legend elsewhere.
    pub(crate) fn at(self, corner: SeriesLabelPosition) -> Self {
        Self { corner, ..self }
    }

    /// With another division upwards.
    pub(crate) fn divided(mut self, division: Division) -> Self {
        self.axes[1].division = division;
        self
    }
}

impl Shown {
    /// A curve without a law.
    pub(crate) fn new(name: &str, points: &[[f64; 2]]) -> Self {
        let (name, points) = (name.to_owned(), points.to_vec());
        Self { name, points, law: None, colour: None, rings: false }
    }

    /// With a law fitted to its points between two places.
    pub(crate) fn fitted(
        self,
        [low, high]: [f64; 2],
        fit: impl Fn(&[[f64; 2]]) -> Option<Law>,
    ) -> Self {
        let inside = |p: &&[f64; 2]| (low..=high).contains(&p[0]);
        let points: Vec<_> = self.points.iter().filter(inside).copied().collect();
        Self { law: fit(&points).map(|law| (law, points)), ..self }
    }

    /// In a colour.
    pub(crate) fn coloured(self, colour: usize) -> Self {
        Self { colour: Some(colour), ..self }
    }

    /// As rings of a colour.
    pub(crate) fn ringed(self, colour: usize) -> Self {
        Self { colour: Some(colour), rings: true, ..self }
    }
}

impl Figure {
    /// The drawing.
    pub(crate) fn svg(&self) -> Result<String, Box<dyn Error>> {
        grid(SIZE, COLUMNS, &self.panels, Panel::draw)
    }

    /// The laws as rows of a table, and what is to be said besides.
    pub(crate) fn table(&self) -> String {
        let mut text = "| | | from | to | law | within |\n|---|---|---|---|---|---|\n".to_owned();
        for panel in &self.panels {
            for shown in &panel.shown {
                text += &shown.row(panel);
            }
        }
        for note in &self.notes {
            text += &format!("\n{note}\n");
        }
        text
    }
}

impl Shown {
    fn row(&self, panel: &Panel) -> String {
        let [Some(first), Some(last)] = [self.points.first(), self.points.last()] else {
            return String::new();
        };
        let at =
            |[x, y]: &[f64; 2]| format!("{} at {} = {}", figures(*y), panel.letter, figures(*x));
        let (law, within) = match &self.law {
            Some((law, fitted)) => {
                (law.text(panel.letter), format!("{:.0} %", 100.0 * (law.departure(fitted) - 1.0)))
            }
            None => (String::new(), String::new()),
        };
        let (title, name) = (panel.title, &self.name);
        format!("| {title} | {name} | {} | {} | {law} | {within} |\n", at(first), at(last))
    }
}

impl Panel {
    fn draw(&self, area: &Area) -> Result<(), Box<dyn Error>> {
        let points = || self.shown.iter().flat_map(|shown| &shown.points);
        let limits = [0, 1].map(|k| self.axes[k].range(points().map(|p| p[k])));
        let [x, y] = [0, 1].map(|k| self.axes[k].scale(&limits[k]));
        let mut chart = ChartBuilder::on(area)
            .caption(self.title, TITLE)
            .margin(16 * FINE)
            .margin_right(28 * FINE)
            .x_label_area_size(46 * FINE)
            .y_label_area_size(76 * FINE)
            .build_cartesian_2d(x, y)?;
        axes_as(&mut chart, self.axes.map(|axis| axis.name), LABELS, [&label, &label])?;
        for (i, shown) in self.shown.iter().enumerate() {
            let colour = colour(shown.colour.unwrap_or(i));
            let style = if shown.rings { colour.stroke_width(2 * FINE) } else { colour.filled() };
            let line = colour.mix(0.75).stroke_width(FINE);
            let beyond = colour.mix(0.25).stroke_width(FINE);
            chart.draw_series(LineSeries::new(shown.line(&shown.points, &limits[1]), beyond))?;
            chart.draw_series(LineSeries::new(shown.line(shown.fitted_to(), &limits[1]), line))?;
            let marks = shown.points.iter().map(|&[x, y]| Circle::new((x, y), 4 * FINE, style));
            let marks = chart.draw_series(marks)?;
            let law = shown.law.as_ref().map(|(law, _)| format!(":  {}", law.text(self.letter)));
            marks.label(format!("{}{}", shown.name, law.unwrap_or_default())).legend(
                move |(x, y)| {
                    let right = 24 * FINE as i32;
                    let line = PathElement::new([(0, 0), (right, 0)], line);
                    let mark = Circle::new((right / 2, 0), 4 * FINE, style);
                    EmptyElement::at((x, y)) + line + mark
                },
            );
        }
        legend(&mut chart, self.corner.clone())
    }
}

impl Shown {
    /// The points that its law was fitted to, or all.
    fn fitted_to(&self) -> &[[f64; 2]] {
        self.law.as_ref().map_or(&self.points, |(_, fitted)| fitted)
    }

    /// Its law over some of its points, or from point to point if it has none.
    fn line(&self, over: &[[f64; 2]], limits: &Range<f64>) -> Vec<(f64, f64)> {
        let (Some((law, _)), [Some(first), Some(last)]) = (&self.law, [over.first(), over.last()])
        else {
            return over.iter().map(|&[x, y]| (x, y)).collect();
        };
        let place = |i: usize| first[0] * (last[0] / first[0]).powf(i as f64 / PIECES as f64);
        let line = (0..=PIECES).map(place).map(|x| (x, law.at(x)));
        line.filter(|(_, y)| limits.contains(y)).collect()
    }
}

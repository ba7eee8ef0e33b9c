"use strict";

(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const find = (id) => document.getElementById(id);
  const words = (name) => name.replaceAll("_", " ");
  const shown = (x, digits = 4) => {
    const size = Math.abs(x);
    const text = size !== 0 && (size >= 1e5 || size < 1e-3) ? x.toExponential(digits - 1) : x.toPrecision(digits);
    return text.replace("-", "−");
  };

  function element(name, attributes = {}, text = "") {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.textContent = text;
    return made;
  }

  /** A round step of a scale with about so many. */
  function tick(width, many) {
    const power = 10 ** Math.floor(Math.log10(width / many));
    return power * [1, 2, 5, 10].find((factor) => width / (factor * power) <= many);
  }

  function ticks(from, to, many) {
    const step = tick(to - from, many);
    const first = Math.ceil(from / step);
    return Array.from({ length: Math.max(0, Math.floor(to / step) - first + 1) }, (_, i) => (first + i) * step);
  }

  const label = (x) => String(Number(x.toPrecision(6))).replace("-", "−");

  /** Lines and labels of two axes in a frame. */
  function axes(svg, { left, right, top, bottom }, x, y, [nameX, nameY]) {
    for (const at of ticks(...x.range, 7)) {
      svg.append(element("line", { class: "grid", x1: x(at), x2: x(at), y1: top, y2: bottom }));
      svg.append(element("text", { x: x(at), y: bottom + 18, "text-anchor": "middle" }, label(at)));
    }
    for (const at of ticks(...y.range, 6)) {
      svg.append(element("line", { class: "grid", x1: left, x2: right, y1: y(at), y2: y(at) }));
      svg.append(element("text", { x: left - 6, y: y(at) + 4, "text-anchor": "end" }, label(at)));
    }
    svg.append(element("text", { x: (left + right) / 2, y: bottom + 36, "text-anchor": "middle" }, nameX));
    const middle = (top + bottom) / 2;
    svg.append(element("text", { x: 14, y: middle, "text-anchor": "middle", transform: `rotate(-90 14 ${middle})` }, nameY));
  }

  function scale(range, [from, to]) {
    const map = (value) => from + ((value - range[0]) / (range[1] - range[0])) * (to - from);
    map.range = range;
    map.invert = (at) => range[0] + ((at - from) / (to - from)) * (range[1] - range[0]);
    return map;
  }

  const line = (points) => points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(2)} ${y.toFixed(2)}`).join("");

  /** A course split where compression and restitution meet. */
  function phases(impact) {
    const turns = impact.events.filter((event) => event.kind === "compression_end" || event.kind === "recompression");
    const bounds = [0, ...turns.map((event) => event.impulse), Infinity];
    return bounds.slice(1).map((to, i) => ({
      name: i % 2 ? "restitution" : "compression",
      course: impact.course.filter((point) => point.impulse >= bounds[i] && point.impulse <= to),
    }));
  }

  /** The velocity at an impulse. */
  function at(course, impulse) {
    const after = course.findIndex((point) => point.impulse >= impulse);
    if (after <= 0) return course[after < 0 ? course.length - 1 : 0].velocity;
    const [a, b] = [course[after - 1], course[after]];
    const part = (impulse - a.impulse) / (b.impulse - a.impulse || 1);
    return a.velocity.map((v, i) => v + part * (b.velocity[i] - v));
  }

  /** The plane of the hodograph: tangential velocities, or in the plane the normal one too. */
  const PLANE = {
    3: { of: ([, x, y]) => [x, y], names: ["v_t1, m/s", "v_t2, m/s"] },
    2: { of: ([n, t]) => [t, n], names: ["v_t, m/s", "v_n, m/s"] },
  };
  const FRAME = { left: 56, right: 588, top: 12, bottom: 544 };
  const COURSE = { left: 56, right: 588, top: 10, bottom: 212 };

  class Hodograph {
    constructor(svg, moved) {
      this.svg = svg;
      svg.addEventListener("pointerdown", (event) => this.#grab(event, moved));
    }

    /** A range that holds the course, and stays while it is dragged. */
    fit(problem, impact) {
      const { of } = PLANE[problem.D.length];
      const points = [problem.velocity, ...impact.course.map((point) => point.velocity)].map(of);
      const reach = 1.15 * Math.max(...points.flat().map(Math.abs), 1e-9);
      this.reach = this.dragging ? Math.max(this.reach, reach) : reach;
    }

    draw(problem, impact) {
      this.fit(problem, impact);
      const { of, names } = PLANE[problem.D.length];
      this.x = scale([-this.reach, this.reach], [FRAME.left, FRAME.right]);
      this.y = scale([-this.reach, this.reach], [FRAME.bottom, FRAME.top]);
      const place = (velocity) => { const [x, y] = of(velocity); return [this.x(x), this.y(y)]; };
      this.svg.replaceChildren();
      axes(this.svg, FRAME, this.x, this.y, names);
      if (problem.D.length === 3) this.#field(problem);
      const [x0, y0] = [this.x(0), this.y(0)];
      this.svg.append(element("path", { class: "rest", d: `M${x0 - 7} ${y0}H${x0 + 7}M${x0} ${y0 - 7}V${y0 + 7}` }));
      for (const { name, course } of phases(impact)) {
        this.svg.append(element("path", { class: name, d: line(course.map((point) => place(point.velocity))) }));
      }
      for (const point of impact.course.filter((point) => point.beginsStep)) {
        const [cx, cy] = place(point.velocity);
        this.svg.append(element("circle", { class: "step", cx, cy, r: 3 }));
      }
      const occupied = {};
      for (const event of impact.events) {
        const [x, y] = place(at(impact.course, event.impulse));
        const spot = `${Math.round(x / 12)} ${Math.round(y / 12)}`;
        occupied[spot] = (occupied[spot] ?? 0) + 1;
        this.svg.append(element("path", { class: "event", d: `M${x} ${y - 7}L${x + 7} ${y}L${x} ${y + 7}L${x - 7} ${y}Z` }));
        const side = x > 420 ? -1 : 1;
        this.svg.append(element("text", { class: "mark", x: x + side * 11, y: y + 16 * occupied[spot] - 12,
          "text-anchor": side < 0 ? "end" : "start" }, words(event.kind)));
      }
      const [ex, ey] = place(impact.velocity);
      this.svg.append(element("circle", { class: "after", cx: ex, cy: ey, r: 7 }));
      const [sx, sy] = place(problem.velocity);
      this.svg.append(element("circle", { class: "before", id: "start", cx: sx, cy: sy, r: 11, tabindex: 0 }));
    }

    /** Which way the tangential velocity would turn if it slid. */
    #field({ D, friction }) {
      const [[, h1, h2], [, b11, b12], [, , b22]] = D;
      for (let i = 0; i < 17; i++) {
        for (let j = 0; j < 17; j++) {
          const [x, y] = [i, j].map((k) => ((k - 8) / 8.6) * this.reach);
          const speed = Math.hypot(x, y);
          if (speed === 0) continue;
          const rate = [
            h1 - (friction.kinetic * (b11 * x + b12 * y)) / speed,
            h2 - (friction.kinetic * (b12 * x + b22 * y)) / speed,
          ];
          const size = Math.hypot(...rate) || 1;
          const [dx, dy] = [(rate[0] / size) * 7, (-rate[1] / size) * 7];
          const [px, py] = [this.x(x), this.y(y)];
          this.svg.append(element("path", { class: "field", d: `M${px - dx} ${py - dy}L${px + dx} ${py + dy}` }));
          this.svg.append(element("circle", { class: "tip", cx: px + dx, cy: py + dy, r: 1.6 }));
        }
      }
    }

    #grab(event, moved) {
      event.preventDefault();
      const follow = (event) => {
        const box = this.svg.getBoundingClientRect();
        const unit = 600 / box.width;
        const x = this.x.invert((event.clientX - box.left) * unit);
        const y = this.y.invert((event.clientY - box.top) * unit);
        moved(x, y);
      };
      this.dragging = true;
      this.svg.setPointerCapture(event.pointerId);
      this.svg.addEventListener("pointermove", follow);
      this.svg.addEventListener("lostpointercapture", () => {
        this.dragging = false;
        this.svg.removeEventListener("pointermove", follow);
        moved();
      }, { once: true });
      follow(event);
    }
  }

  /** Velocities over the normal impulse, with the events. */
  function drawCourse(svg, impact) {
    const names = impact.velocity.length === 3 ? ["v_n", "v_t1", "v_t2"] : ["v_n", "v_t"];
    const all = impact.course.flatMap((point) => point.velocity);
    const [low, high] = [Math.min(0, ...all), Math.max(0, ...all)];
    const room = 0.08 * (high - low || 1);
    const x = scale([0, impact.impulse[0]], [COURSE.left, COURSE.right]);
    const y = scale([low - room, high + room], [COURSE.bottom, COURSE.top]);
    svg.replaceChildren();
    axes(svg, COURSE, x, y, ["normal impulse, N s", "m/s"]);
    for (const event of impact.events) {
      svg.append(element("line", { class: "when", x1: x(event.impulse), x2: x(event.impulse), y1: COURSE.top, y2: COURSE.bottom }));
    }
    names.forEach((name, i) => {
      const points = impact.course.map((point) => [x(point.impulse), y(point.velocity[i])]);
      svg.append(element("path", { class: `velocity v${i}`, d: line(points) }));
      svg.append(element("text", { class: `name v${i}`, x: COURSE.left + 10 + 52 * i, y: COURSE.top + 16 }, name));
    });
  }

  const vector = (numbers) => `(${numbers.map((x) => shown(x)).join(", ")})`;

  function tell(answer, problem, impact, time) {
    const rows = [
      ["v before", `${vector(problem.velocity)} m/s`],
      ["v after", `${vector(impact.velocity)} m/s`],
      ["impulse", `${vector(impact.impulse)} N s`],
      ["mode", words(impact.mode)],
      ["events", impact.events.map((event) => `${words(event.kind)} at ${shown(event.impulse)}`).join(", ") || "none"],
      ["works", `normal ${shown(impact.normal_work)}, friction ${shown(impact.friction_work)} J`],
      ["energy change", `${shown(impact.energy_change)} J`],
      ["critical friction", shown(impact.critical_friction)],
      ["steps", String(impact.steps)],
      ["time", `${shown(time, 3)} µs in this browser`],
    ];
    const table = document.createElement("table");
    for (const [name, value] of rows) {
      const row = table.insertRow();
      row.append(Object.assign(document.createElement("th"), { textContent: name }));
      row.insertCell().textContent = value;
    }
    answer.replaceChildren(table);
  }

  class Page {
    constructor(solver, robots) {
      Object.assign(this, { solver, robots });
      this.hodograph = new Hodograph(find("hodograph"), (x, y) => this.#move(x, y));
      find("robot").append(...robots.map((robot, i) => new Option(robot.name, i)));
      find("robot").addEventListener("input", () => this.choose(Number(find("robot").value)));
      for (const id of ["normal", "static", "kinetic", "e", "law"]) {
        find(id).addEventListener("input", () => this.#slide(id));
      }
      find("hodograph").addEventListener("keydown", (event) => this.#key(event));
    }

    choose(index) {
      this.robot = this.robots[index];
      this.velocity = [...this.robot.velocity];
      find("normal").min = 2 * this.velocity[0];
      find("normal").step = -this.velocity[0] / 200;
      find("normal").value = this.velocity[0];
      [find("static").value, find("kinetic").value] = this.robot.friction;
      find("joints").replaceChildren(...this.robot.joints.map((joint) => this.#joint(joint)));
      this.#inertia();
      this.solve();
    }

    #joint({ name, position }) {
      const slider = Object.assign(document.createElement("input"), { type: "range", min: -3, max: 3, step: 0.01, value: position });
      const output = document.createElement("output");
      const text = Object.assign(document.createElement("span"), { textContent: `${name}, rad` });
      const label = document.createElement("label");
      const tell = () => { output.textContent = shown(Number(slider.value), 3); };
      slider.addEventListener("input", () => { tell(); this.#inertia(); this.solve(); });
      tell();
      label.append(text, output, slider);
      return label;
    }

    #inertia() {
      const positions = [...find("joints").querySelectorAll("input")].map((slider) => Number(slider.value));
      const { inertia, generated } = this.robot;
      this.D = inertia ?? this.solver.inertia(generated, positions);
      const table = find("inertia");
      for (const row of [...table.rows]) row.remove();
      for (const line of this.D) {
        const row = table.insertRow();
        for (const number of line) row.insertCell().textContent = shown(number);
      }
    }

    #slide(id) {
      // Static friction is never below kinetic.
      const [fixed, kinetic] = [find("static"), find("kinetic")];
      if (id === "kinetic" && Number(kinetic.value) > Number(fixed.value)) fixed.value = kinetic.value;
      if (id === "static" && Number(fixed.value) < Number(kinetic.value)) kinetic.value = fixed.value;
      if (id === "normal") this.velocity[0] = Number(find("normal").value);
      this.solve();
    }

    #move(x, y) {
      if (x !== undefined && this.velocity.length === 3) this.velocity.splice(1, 2, x, y);
      if (x !== undefined && this.velocity.length === 2) {
        this.velocity = [Math.min(y, -1e-3 * this.hodograph.reach), x];
        find("normal").value = this.velocity[0];
      }
      this.solve();
    }

    #key(event) {
      const step = this.hodograph.reach / 100;
      const turn = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] }[event.key];
      if (!turn) return;
      event.preventDefault();
      const [x, y] = PLANE[this.velocity.length].of(this.velocity);
      this.#move(x + turn[0], y + turn[1]);
      find("start").focus();
    }

    problem() {
      const number = (id) => Number(find(id).value);
      const law = Solver.LAWS[Number(document.querySelector("#law input:checked").value)];
      return {
        D: this.D, velocity: this.velocity,
        friction: { static: number("static"), kinetic: number("kinetic") },
        restitution: { law, e: number("e") },
      };
    }

    solve() {
      const problem = this.problem();
      find("normal-value").textContent = shown(problem.velocity[0], 3);
      for (const id of ["static", "kinetic", "e"]) find(`${id}-value`).textContent = find(id).value;
      try {
        const impact = this.solver.impact(problem);
        this.hodograph.draw(problem, impact);
        drawCourse(find("course"), impact);
        tell(find("answer"), problem, impact, this.solver.time(problem));
      } catch (refusal) {
        find("answer").textContent = refusal.message;
      }
    }
  }

  function theme() {
    const root = document.documentElement;
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    find("theme").addEventListener("click", () => {
      const now = root.dataset.theme ?? (dark ? "dark" : "light");
      root.dataset.theme = now === "dark" ? "light" : "dark";
    });
  }

  theme();
  const bytes = Uint8Array.from(atob(find("module").textContent), (letter) => letter.charCodeAt(0));
  Solver.load(bytes)
    .then((solver) => new Page(solver, JSON.parse(find("robots").textContent)).choose(0))
    .catch((error) => { find("answer").textContent = `This browser cannot run the solver: ${error.message}`; });
})();

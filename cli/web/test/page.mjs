// page.mjs ROUTH PAGE FOLDER: opens a report in Chromium, uses it, and leaves
// screenshots in a folder.

import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { solve } from "./solver.mjs";

const [routh, path, folder] = process.argv.slice(2);
const WIDE = { viewport: { width: 1200, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const FIGURES = 12;

const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run"],
});

/** Opens the page; nothing may go wrong, and nothing may be fetched. */
async function open(options) {
  const page = await browser.newPage(options);
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("request", (request) => {
    if (!/^(file|data):/.test(request.url())) complaints.push(`fetches ${request.url()}`);
  });
  await page.goto(pathToFileURL(path).href);
  await page.waitForSelector("#answer table");
  return { page, complaints };
}

const orbit = (page) => page.$$eval("#hodograph .compression, #hodograph .restitution", (all) => all.map((path) => path.getAttribute("d")).join());
const after = (page) => page.$eval("#answer tr:nth-child(2) td", (cell) => cell.textContent);

/** What is done must change the orbit and the velocity after impact. */
async function changes(page, what, act) {
  const before = [await orbit(page), await after(page)];
  await act();
  const now = [await orbit(page), await after(page)];
  assert.notEqual(now[0], before[0], `${what}: the orbit is the same`);
  assert.notEqual(now[1], before[1], `${what}: the velocity is the same`);
}

const slide = (page, id, value) => page.$eval(`#${id}`, (slider, value) => {
  slider.value = value;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
}, value);

async function wide() {
  const { page, complaints } = await open(WIDE);
  const figures = await page.$$eval("figure svg", (all) => all.map((svg) => svg.querySelectorAll("polyline, path, rect, circle").length));
  assert(figures.length >= FIGURES && figures.every((shapes) => shapes > 3), `figures: ${figures}`);
  assert((await page.$$("table")).length >= 8);

  const [native] = solve(routh, [{
    D: [[9.009e-3, -0.342e-3, 1.845e-3], [-0.342e-3, 9.307e-3, 2.26e-3], [1.845e-3, 2.26e-3, 3.922e-3]],
    velocity: [-10, 4, 0], friction: 0.3, restitution: { law: "energetic", e: 0.5 },
  }]);
  const shown = (await after(page)).replaceAll("−", "-").match(/-?[\d.]+/g).map(Number);
  native.velocity.forEach((v, i) => assert(Math.abs(v - shown[i]) < 1e-3 * Math.abs(v), `${shown}`));

  await changes(page, "friction", () => slide(page, "kinetic", 0.8));
  await changes(page, "e", () => slide(page, "e", 0.9));
  await changes(page, "law", () => page.check("#law input[value='0']"));
  await changes(page, "approach", () => slide(page, "normal", -4));
  // Sliding to the end, where the start decides.
  await changes(page, "static friction", () => slide(page, "static", 0.1));
  await changes(page, "drag", async () => {
    const box = await (await page.$("#start")).boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x - 120, box.y + 90, { steps: 5 });
    await page.mouse.up();
  });
  await changes(page, "arrow key", async () => {
    await page.focus("#start");
    await page.keyboard.press("ArrowUp");
  });
  for (const robot of ["1", "2", "3"]) await changes(page, `robot ${robot}`, () => page.selectOption("#robot", robot));
  await page.selectOption("#robot", "1");
  await changes(page, "knee", () => page.$eval("#joints label:last-child input", (slider) => {
    slider.value = 1;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }));
  const paper = () => page.$eval("body", (body) => getComputedStyle(body).backgroundColor);
  const light = await paper();
  await page.click("#theme");
  assert.notEqual(await paper(), light);
  assert.deepEqual(complaints, []);
  await page.screenshot({ path: join(folder, "used.png") });
  await page.close();
}

async function looks(name, options) {
  const { page, complaints } = await open(options);
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert(content <= window, `${name}: ${content} wide in ${window}`);
  assert.deepEqual(complaints, []);
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  await page.close();
}

/** The picture of the README. */
async function picture() {
  const { page, complaints } = await open({ viewport: { width: 1160, height: 900 } });
  const corner = await (await page.$("#hodograph")).boundingBox();
  const start = await (await page.$("#start")).boundingBox();
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(corner.x + 0.15 * corner.width, corner.y + 0.85 * corner.height, { steps: 5 });
  await page.mouse.up();
  await slide(page, "normal", -16);
  assert.deepEqual(complaints, []);
  await (await page.$("#live")).screenshot({ path: join(folder, "picture.png") });
  await page.close();
}

await wide();
await picture();
await looks("light", WIDE);
await looks("dark", { ...WIDE, colorScheme: "dark" });
await looks("phone", PHONE);
await browser.close();
console.log(`web: the page works in Chromium; screenshots in ${folder}`);

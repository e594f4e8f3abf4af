// Mutation testing of scripts: `node tests/javascript/mutate.mjs static/js/palette.js`, with NODE_PATH as in .ci/run.
// Each small wrong change (changes.mjs) is tried with the tests that load the script; the first that fails has noticed
// it. Without a script it tries all that a test loads. `--most 50`: at most so many changes of each script,
// spread over it; `--beside 2`: so many at a time; `--list`: says which test noticed each.
import { fork } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

import { changesOf, importsOf } from "./changes.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const SCRIPTS = resolve(HERE, "../../static/js");
const LASTS = 150; // trials of one process: each leaves its pages behind
const FIRST = 60_000; // milliseconds for the tests without a change

/** What a script of static/js loads, with all that those load. */
function loadedBy(script, known = new Set()) {
  if (known.has(script) || !existsSync(script)) return known;
  known.add(script);
  for (const name of importsOf(readFileSync(script, "utf8")))
    if (name.startsWith(".")) loadedBy(resolve(dirname(script), name), known);
  return known;
}

function readTests() {
  const names = readdirSync(HERE).filter((name) => name.endsWith(".test.mjs"));
  return names.map((name) => {
    const loads = [...readFileSync(join(HERE, name), "utf8").matchAll(/["'`]([\w/]+\.js)["'`]/g)];
    const direct = [...new Set(loads.map(([, path]) => join(SCRIPTS, path)))];
    return { name, direct, all: new Set(direct.flatMap((path) => [...loadedBy(path)])) };
  });
}

/** The tests that name a script, those of it alone first; where none does, all that load it with another. */
function testsOf(script, tests) {
  const named = tests.filter(({ direct }) => direct.includes(script));
  const near = named.length ? named : tests.filter(({ all }) => all.has(script));
  const ordered = near.toSorted((a, b) => a.direct.length - b.direct.length);
  return ordered.map(({ name }) => pathToFileURL(join(HERE, name)).href);
}

/** A process that tries one text of a script after another. */
class Trial {
  folder = mkdtempSync(join(tmpdir(), "mutated-"));
  tried = 0;

  run(script, text, files, limit) {
    if (this.tried++ % LASTS === 0) this.stop();
    this.child ??= fork(join(HERE, "trial.mjs"), { env: { ...process.env, MUTATED: this.folder }, silent: true });
    const place = join(this.folder, relative(SCRIPTS, script));
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text);
    const { child } = this;
    return new Promise((done) => {
      const end = (failed, lives = false) => {
        clearTimeout(timer);
        child.removeAllListeners();
        if (!lives) this.stop();
        rmSync(place);
        done(failed);
      };
      const timer = setTimeout(() => end("it does not end"), limit);
      child.once("exit", () => end("the process ended"));
      child.once("message", ({ failed }) => end(failed, true));
      child.send({ files });
    });
  }

  stop() {
    this.child?.removeAllListeners();
    this.child?.kill("SIGKILL");
    this.child = undefined;
  }

  close() {
    this.stop();
    rmSync(this.folder, { recursive: true });
  }
}

const spread = (list, most) =>
  Array.from({ length: most }, (_one, place) => list[Math.floor((place * list.length) / most)]);
const brief = (words) => words.replace(/\s+/g, " ").slice(0, 70) || "nothing";

async function measure(script, tests, trials, { most, list }) {
  const name = relative(SCRIPTS, script);
  const text = readFileSync(script, "utf8");
  const files = testsOf(script, tests);
  const changes = changesOf(text);
  const tried = changes.length > most ? spread(changes, most) : changes;
  if (!files.length) return { name, changes: changes.length, tried: 0, noticed: 0 };
  await trials[0].run(script, text, files, FIRST); // loads what all need
  const start = Date.now();
  const broken = await trials[0].run(script, text, files, FIRST);
  if (broken) throw new Error(`${name}: the tests fail without a change: ${broken}`);
  const limit = (Date.now() - start) * 5 + 4000;
  const waiting = [...tried];
  let noticed = 0;
  await Promise.all(
    trials.map(async (trial) => {
      for (let change = waiting.shift(); change; change = waiting.shift()) {
        const changed = text.slice(0, change.start) + change.put + text.slice(change.end);
        change.failed = await trial.run(script, changed, files, limit);
        if (change.failed !== null) noticed += 1;
      }
    }),
  );
  for (const { line, was, put, failed } of tried)
    if (failed === null || list) console.log(`${name}:${line}  ${brief(was)}  ->  ${brief(put)}  ${failed ?? ""}`);
  return { name, changes: changes.length, tried: tried.length, noticed };
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { most: { type: "string" }, beside: { type: "string" }, list: { type: "boolean" } },
});
const tests = readTests();
const scripts = positionals.length
  ? positionals.map((path) => resolve(path))
  : readdirSync(SCRIPTS, { recursive: true })
      .map((name) => join(SCRIPTS, String(name)))
      .filter((path) => path.endsWith(".js") && tests.some(({ direct }) => direct.includes(path)));
const trials = Array.from({ length: Number(values.beside ?? 1) }, () => new Trial());
const rows = [];
try {
  for (const script of scripts)
    rows.push(await measure(script, tests, trials, { most: Number(values.most ?? Infinity), list: values.list }));
} finally {
  for (const trial of trials) trial.close();
}
console.log("\n| script | changes | tried | noticed | of 100 |\n|---|---|---|---|---|");
for (const { name, changes, tried, noticed } of rows)
  console.log(
    `| \`${name}\` | ${changes} | ${tried} | ${noticed} | ${tried ? Math.floor((noticed / tried) * 100) : "-"} |`,
  );

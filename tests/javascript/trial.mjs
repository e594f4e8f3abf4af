// The process in which changed scripts are tried (mutate.mjs). It stands in for node:test, so that the tests of one file
// run again and again in one process: for each change the file is loaded anew, and the first test that fails ends it.
import { mock } from "node:test";
import { fileURLToPath } from "node:url";

import "./page.mjs"; // before the first test: its hooks lead from node:test to here

export { mock };
const born = Object.getOwnPropertyDescriptors(globalThis);
const timers = new Set();
let tests = [];
let trials = 0;
let afterwards = [];
let fail = () => {};

export function test(name, options, run = options) {
  tests.push({ name, run, skip: options.skip });
}

function startClean() {
  mock.reset();
  mock.timers.reset();
  for (const timer of timers) clearTimeout(timer);
  timers.clear();
  for (const [name, now] of Object.entries(Object.getOwnPropertyDescriptors(globalThis))) {
    const before = born[name];
    if (!before) delete globalThis[name];
    else if (before.value !== now.value || before.get !== now.get) Object.defineProperty(globalThis, name, before);
  }
  for (const kind of ["setTimeout", "setInterval"]) {
    const begin = born[kind].value;
    const begun = (...values) => {
      const timer = begin(...values);
      timers.add(timer);
      return timer;
    };
    Object.defineProperty(globalThis, kind, { value: begun, configurable: true, writable: true });
  }
}

async function runFile(file) {
  startClean();
  tests = [];
  trials += 1;
  process.env.TRIAL = `${trials}.`;
  await import(`${file}?trial=${trials}`);
  if (!tests.length) throw new Error(`${file} has no test`);
  for (const { name, run, skip } of tests) {
    if (skip) throw new Error(skip);
    afterwards = [];
    try {
      await run({ mock, after: (act) => afterwards.push(act), name });
    } catch (error) {
      throw Object.assign(new Error(`${name}: ${error?.message}`), { cause: error });
    } finally {
      for (const act of afterwards) await act();
      mock.reset();
    }
    await new Promise((done) => born.setImmediate.value(done)); // what was thrown outside of it is its own as well
  }
}

async function runFiles(files) {
  const broken = new Promise((_done, reject) => {
    fail = reject;
  });
  broken.catch(() => {});
  for (const file of files) await Promise.race([runFile(file), broken]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const kind of ["uncaughtException", "unhandledRejection"]) process.on(kind, (error) => fail(error));
  process.on("message", ({ files }) => {
    runFiles(files).then(
      () => process.send({ failed: null }),
      (error) => process.send({ failed: String(error?.message ?? error).split("\n")[0] }),
    );
  });
}

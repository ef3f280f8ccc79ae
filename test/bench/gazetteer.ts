/**
 * What the gazetteer costs: resident memory, time to open and to read, time per question. Run by hand, in a process of
 * its own: `bun test/bench/gazetteer.ts`. Memory is what the process holds more than before it was opened.
 */
const { openGazetteer } = await import("../../src/places/gazetteer.ts");
const rssBefore = residentMB();
const openBefore = performance.now();
const gazetteer = await openGazetteer();
const openMs = performance.now() - openBefore;
const rssOpen = residentMB();
const readBefore = performance.now();
gazetteer.nearest({ lat: 45.77, lng: 4.83 });
const readMs = performance.now() - readBefore;
const rssRead = residentMB();

const spread = spreadOf(1);
const anywhere = () => ({
  lat: (Math.asin(2 * spread() - 1) * 180) / Math.PI,
  lng: 360 * spread() - 180,
});
const inTown = () => gazetteer.draw(spread()).point;

console.log(`places               ${gazetteer.size}`);
console.log(`open                 ${openMs.toFixed(1)} ms`);
console.log(`memory, opened       ${(rssOpen - rssBefore).toFixed(1)} MB`);
console.log(`first question       ${readMs.toFixed(1)} ms`);
console.log(`memory, read         ${(rssRead - rssBefore).toFixed(1)} MB`);
report("nearest, anywhere", 10_000, anywhere, (point) => gazetteer.nearest(point));
report("nearest, in a town", 10_000, inTown, (point) => gazetteer.nearest(point));
report("find, exact", 2000, inTown, () => gazetteer.find("San José"));
report("find, prefix", 2000, inTown, () => gazetteer.find("saint", { prefix: true }));
report("find, one letter", 200, inTown, () => gazetteer.find("s", { prefix: true }));
report("find, prefix near", 2000, inTown, (point) =>
  gazetteer.find("saint", { prefix: true, near: { point, radiusKm: 50 } }),
);
report("draw", 10_000, spread, (random) => gazetteer.draw(random));
console.log(`memory, after all    ${(residentMB() - rssBefore).toFixed(1)} MB`);
console.log(`memory, process      ${residentMB().toFixed(1)} MB`);

/** Mean time of one question; making its input is not timed. */
function report<T>(title: string, times: number, input: () => T, ask: (input: T) => unknown): void {
  const inputs = Array.from({ length: times }, input);
  const before = performance.now();
  for (const each of inputs) ask(each);
  const microseconds = ((performance.now() - before) * 1000) / times;
  console.log(`${title.padEnd(20)} ${microseconds.toFixed(1)} µs`);
}

function residentMB(): number {
  Bun.gc(true);
  return process.memoryUsage.rss() / 1e6;
}

/** The same numbers in [0, 1) on every run (mulberry32). */
function spreadOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FROM_SOURCES, serve } from "../support/process.ts";
import { BASE_URL } from "./alerts.ts";
import { API, pathOf, type Question } from "./questions.ts";
import { get, load, scriptOf } from "./wrk.ts";

/** A part of the program and its share of the time of the one thread that answers. */
export type Part = { readonly name: string; readonly share: number };

const SECONDS = 5;

/** Where the time goes while the program answers questions under load, by a profile of its samples; largest first. */
export async function whereTimeGoes(
  folder: string,
  questions: readonly Question[],
): Promise<Part[]> {
  const scratch = mkdtempSync(join(tmpdir(), "pet-alert-profile-"));
  const profiled = {
    ...FROM_SOURCES,
    command: [process.execPath, "--cpu-prof", `--cpu-prof-dir=${scratch}`, "src/main.ts"],
  };
  const script = join(scratch, "ask.lua");
  await Bun.write(script, scriptOf(questions.map((one) => get(API + pathOf(one)))));
  const served = await serve(folder, { BASE_URL }, profiled);
  await load(served, script, SECONDS);
  await served.stop();
  const file = readdirSync(scratch).find((name) => name.endsWith(".cpuprofile"));
  if (file === undefined) throw new Error("bun --cpu-prof wrote no profile");
  const profile: Profile = await Bun.file(join(scratch, file)).json();
  rmSync(scratch, { recursive: true, force: true });
  return partsOf(profile);
}

type Profile = {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  /** Microseconds from the sample before. */
  readonly timeDeltas: readonly number[];
};

/** Function and file, and the part they belong to; the first that fits. Functions of the runtime have no file. */
const PARTS: readonly (readonly [RegExp, string])[] = [
  [/^(?:values|all|get|run|raw) $/, "SQLite: reading rows"],
  [/^stringify $/, "writing JSON"],
  [/^gc $/, "collecting garbage"],
  [/^\(idle\) /, "waiting"],
  [/\/src\/search\//, "the index: which alerts"],
  [/drizzle-orm|\/db\//, "the store around SQLite (drizzle)"],
  [/\/zod\/|\/src\/core\/input\.ts/, "checking the question (zod)"],
  [/\/hono\//, "routing and middleware (hono)"],
  [/\/src\/http\//, "our doors"],
  [/\/src\/(?:core|start|commands)/, "the verb: public faces, distances"],
];
const RUNTIME = "the runtime: sockets, HTTP, promises";
/** Below this a part is told with the rest. */
const SHARE_MIN = 0.02;

function partsOf({ nodes, samples, timeDeltas }: Profile): Part[] {
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])),
  );
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const total = timeDeltas.reduce((sum, delta) => sum + delta, 0);
  // Starting is over by then.
  const from = total - (SECONDS - 1) * 1e6;
  const micros = new Map<string, number>();
  let at = 0;
  samples.forEach((id, nth) => {
    const delta = timeDeltas[nth] ?? 0;
    at += delta;
    if (at < from) return;
    const part = partOf(id);
    micros.set(part, (micros.get(part) ?? 0) + delta);
  });
  micros.delete("waiting");
  const busy = [...micros.values()].reduce((sum, each) => sum + each, 0);
  const parts = [...micros].map(([name, each]) => ({ name, share: each / busy }));
  const large = parts
    .filter(({ share }) => share >= SHARE_MIN)
    .toSorted((a, b) => b.share - a.share);
  const rest = 1 - large.reduce((sum, { share }) => sum + share, 0);
  return rest < SHARE_MIN / 2 ? large : [...large, { name: "everything else", share: rest }];

  /** What the runtime does counts for the code that called it. */
  function partOf(id: number): string {
    for (let node: number | undefined = id; node !== undefined; node = parents.get(node)) {
      const { functionName, url } = frames.get(node)!;
      const part = PARTS.find(([what]) => what.test(`${functionName} ${url}`));
      if (part !== undefined) return part[1];
    }
    return RUNTIME;
  }
}

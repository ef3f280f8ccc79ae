import { expect, test } from "bun:test";
import { FAULTS } from "../chaos/faults.ts";
import { FAULTS as NODE_FAULTS } from "../nodes/faults.ts";
import { AGAINST_ABUSE } from "./abuse.ts";
import { AGAINST_FAULTS } from "./faults.ts";
import { AGAINST_NODE_FAULTS } from "./node-faults.ts";

test("every defence can be taken out of the program as it is, and what must notice exists", async () => {
  const unknown: string[] = [];
  for (const { name, off, noticedBy } of [
    ...AGAINST_ABUSE,
    ...AGAINST_FAULTS,
    ...AGAINST_NODE_FAULTS,
  ]) {
    for (const { module, name: replaced } of off) {
      const text = await Bun.file(module).text();
      if (!new RegExp(`^export (?:async )?(?:const|function) ${replaced}\\b`, "m").test(text))
        unknown.push(`${name}: ${module} has no export ${replaced}`);
    }
    const faults = noticedBy.kind === "fault" ? FAULTS : NODE_FAULTS;
    const isThere =
      noticedBy.kind === "test"
        ? await Bun.file(noticedBy.file).exists()
        : faults.some((fault) => fault.name.includes(noticedBy.name));
    if (!isThere) unknown.push(`${name}: nothing is called ${noticedBy.name}`);
  }

  expect(unknown).toEqual([]);
});

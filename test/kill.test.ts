import { expect, test } from "bun:test";
import { killed } from "./chaos/kill.ts";
import { DISK } from "./support/disk.ts";
import { scratchFolder } from "./support/process.ts";

const KILLS = 4;

test(`after kill -9 in the middle of writes nothing acknowledged is missing, every email comes, and searches equal what is stored (${KILLS} kills)`, async () => {
  const { failures, acknowledged } = await killed(KILLS, "a few kills", scratchFolder(DISK));

  expect(failures).toEqual([]);
  expect(acknowledged).toBeGreaterThan(KILLS * 5);
}, 600_000);

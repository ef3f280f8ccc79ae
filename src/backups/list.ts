import { z } from "zod";
import { timeOfBackup } from "../../db/sqlite/backups/daily-backups.ts";
import { Fault } from "../core/fault.ts";
import { type Bucket, keysUnder } from "../storage/bucket/bucket.ts";
import { COMPLETE, COPIES, PARTS_MAX, partKey } from "./target.ts";

/** Copy of a backup, or what an interrupted one left. */
export type BackupCopy = {
  /** Name of the backup. */
  readonly name: string;
  /** Time at which the backup was made. */
  readonly madeAt: number;
  readonly parts: number;
  readonly isComplete: boolean;
};

/** All copies, oldest first. */
export async function listCopies(bucket: Bucket): Promise<BackupCopy[]> {
  const copies = new Map<string, { parts: number; isComplete: boolean }>();
  for await (const key of keysUnder(bucket, COPIES)) {
    const [name = "", object = ""] = key.split("/");
    if (timeOfBackup(name) === null) continue;
    const copy = copies.get(name) ?? { parts: 0, isComplete: false };
    copies.set(name, {
      parts: copy.parts + (object === COMPLETE ? 0 : 1),
      isComplete: copy.isComplete || object === COMPLETE,
    });
  }
  return [...copies]
    .map(([name, copy]) => ({ name, madeAt: timeOfBackup(name) ?? 0, ...copy }))
    .toSorted((a, b) => a.madeAt - b.madeAt);
}

/** Newest complete copy of a backup that was made by now; null if there is none. */
export function newestCopy(copies: readonly BackupCopy[], now: number): BackupCopy | null {
  return copies.findLast(({ isComplete, madeAt }) => isComplete && madeAt <= now) ?? null;
}

/** Contents of the object that ends a copy. */
const COMPLETION = z.object({
  format: z.literal(1),
  parts: z.int().min(1).max(PARTS_MAX),
  /** Bytes of all parts. */
  bytes: z.int().min(1),
  photos: z.int().min(0),
  /** Counts of the rows that people made; absent in older copies. */
  rows: z.int().min(0).optional(),
});
export type Completion = z.infer<typeof COMPLETION>;

/** Reads the object that ends a copy. Throws `bad_input` with a sentence for the operator if the copy cannot be used. */
export async function readCompletion(bucket: Bucket, name: string): Promise<Completion> {
  const bytes = await bucket.get(`${COPIES}${name}/${COMPLETE}`);
  if (bytes === null) {
    const hasParts = await bucket.has(partKey(name, 1));
    throw new Fault(
      "not_found",
      hasParts
        ? `The copy ${name} is unfinished: it was interrupted. Choose another one ("pet-alert backup copies" lists them).`
        : `There is no copy ${name}. "pet-alert backup copies" lists those that there are.`,
    );
  }
  const parsed = COMPLETION.safeParse(jsonOf(bytes));
  if (!parsed.success)
    throw new Fault(
      "bad_input",
      `The copy ${name} cannot be read: its ${COMPLETE} is damaged, or from a newer version.`,
    );
  return parsed.data;
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}

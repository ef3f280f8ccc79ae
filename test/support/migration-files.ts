import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

// `bun run migration NAME`: writes the next migration of each database whose tables differ from its newest snapshot. Of the
// snapshots of drizzle-kit the newest stays, on one line: it reads no other.

type Database = "sqlite" | "postgres";

const ROOT = join(import.meta.dir, "../..");

/** Snapshot of the tables from which the next migration begins. */
export async function newestSnapshot(database: Database): Promise<any> {
  return Bun.file(snapshotsOf(database)[0] ?? "").json();
}

/** Files of the snapshots, newest first. */
function snapshotsOf(database: Database): string[] {
  const folder = join(ROOT, "db", database, "migrations/meta");
  const names = readdirSync(folder).filter((name) => name.endsWith("_snapshot.json"));
  return names
    .toSorted()
    .toReversed()
    .map((name) => join(folder, name));
}

if (import.meta.main) {
  const [, , name] = process.argv;
  if (name === undefined) throw new Error("Usage: bun run migration NAME");
  for (const database of ["sqlite", "postgres"] as const) {
    const { success } = Bun.spawnSync(
      [process.execPath, "x", "--bun", "drizzle-kit", "generate", "--name", name],
      {
        cwd: ROOT,
        env: { ...process.env, ENGINE: database },
        stdio: ["inherit", "inherit", "inherit"],
      },
    );
    if (!success) throw new Error("drizzle-kit failed");
    const [newest = "", ...older] = snapshotsOf(database);
    for (const file of older) rmSync(file);
    await Bun.write(newest, `${JSON.stringify(await newestSnapshot(database))}\n`);
  }
}

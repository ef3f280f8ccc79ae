import { expect, test } from "bun:test";
import { join } from "node:path";

test("a service on a folder loads nothing of PostgreSQL", () => {
  const list = "Object.keys(require.cache).join()";
  const { stdout } = Bun.spawnSync(
    [process.execPath, "--eval", `await import("./src/start.ts"); console.log(${list})`],
    { cwd: join(import.meta.dir, "../..") },
  );
  const loaded = stdout.toString();

  expect(loaded).toContain("/db/sqlite/open.ts");
  expect(loaded).not.toMatch(/db\/postgres\/|drizzle-orm\/(bun-sql\/|pg-core\/dialect)/);
}, 60_000);

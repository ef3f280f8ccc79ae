import { Database, Statement } from "bun:sqlite";
import { openDatabase } from "../../db/sqlite/open.ts";

// `bun migration-kill-opener.ts DATA_DIR N`: opens a database, and kills itself before the Nth statement (0: never).

const [, , folder = "", nth = "0"] = process.argv;
let left = Number(nth);

/** Counts a statement, and dies before the one it was told. */
function count(): void {
  left -= 1;
  if (left === 0) process.kill(process.pid, "SIGKILL");
}

for (const [owner, names] of [
  [Database.prototype, ["run"]],
  [Statement.prototype, ["run", "all", "get"]],
] as const) {
  for (const name of names) {
    const carryOut: (...args: unknown[]) => unknown = Reflect.get(owner, name);
    Reflect.set(owner, name, function (this: unknown, ...args: unknown[]) {
      count();
      return Reflect.apply(carryOut, this, args);
    });
  }
}

openDatabase(folder).close();

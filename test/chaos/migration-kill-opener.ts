import { Database, Statement } from "bun:sqlite";
import { openDatabase } from "../../db/sqlite/open.ts";

// `bun migration-kill-opener.ts DATA_DIR N`: opens a database, and kills itself before the Nth statement (0: never). Prints
// the number of statements.

const [, , folder = "", nth = "0"] = process.argv;
let statements = 0;

/** Counts a statement, and dies before the one it was told. */
function count(): void {
  statements += 1;
  if (statements === Number(nth)) process.kill(process.pid, "SIGKILL");
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
console.log(statements);

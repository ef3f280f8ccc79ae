import { defineConfig } from "drizzle-kit";

/** `bun run migration` runs drizzle-kit for each engine. */
const engine = process.env["ENGINE"] === "postgres" ? "postgres" : "sqlite";

export default defineConfig({
  dialect: engine === "postgres" ? "postgresql" : "sqlite",
  schema: `./db/${engine}/drizzle-tables.ts`,
  out: `./db/${engine}/migrations`,
});

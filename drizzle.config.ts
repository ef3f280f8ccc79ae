import { defineConfig } from "drizzle-kit";

// `bun run migration` compares schema.ts with the newest snapshot and writes the next SQL file.
export default defineConfig({
  dialect: "sqlite",
  schema: "./db/sqlite/schema.ts",
  out: "./db/sqlite/migrations",
});

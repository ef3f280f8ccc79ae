import { defineConfig } from "drizzle-kit";

// `bun run migration` compares the schema with the newest snapshot and writes the next SQL file.
export default defineConfig({
  dialect: "sqlite",
  schema: [
    "./db/sqlite/schema.ts",
    "./db/sqlite/match-schema.ts",
    "./db/sqlite/plan-schema.ts",
    "./db/sqlite/mailbox-schema.ts",
    "./db/sqlite/moderation-schema.ts",
    "./db/sqlite/source-schema.ts",
    "./db/sqlite/organisation-schema.ts",
    "./db/sqlite/photo-schema.ts",
    "./db/sqlite/device-schema.ts",
  ],
  out: "./db/sqlite/migrations",
});

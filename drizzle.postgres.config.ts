import { defineConfig } from "drizzle-kit";

// The counterpart of drizzle.config.ts for PostgreSQL: `bun run migration` runs both.
export default defineConfig({
  dialect: "postgresql",
  schema: [
    "./db/postgres/schema.ts",
    "./db/postgres/match-schema.ts",
    "./db/postgres/plan-schema.ts",
    "./db/postgres/mailbox-schema.ts",
    "./db/postgres/moderation-schema.ts",
    "./db/postgres/organisation-schema.ts",
    "./db/postgres/photo-schema.ts",
    "./db/postgres/node-schema.ts",
    "./db/postgres/zone-schema.ts",
    "./db/postgres/source-schema.ts",
    "./db/postgres/device-schema.ts",
  ],
  out: "./db/postgres/migrations",
});

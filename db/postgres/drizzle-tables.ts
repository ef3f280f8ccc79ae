import schema = require("../schema/tables.ts");
import columns = require("../schema/columns.ts");
import nodeTables = require("./nodes.ts");

// The tables as exports of a module, which is where drizzle-kit looks for them: see drizzle.config.ts.
export = { ...schema.createTables(columns.POSTGRES_COLUMNS), ...nodeTables };

import { withoutCaps, type Weakening } from "../chaos/weakened.ts";
import { type Defence, replaced } from "./defence.ts";

const inFault = (fault: string, name: string, ...off: readonly Weakening[]): Defence => ({
  name,
  off,
  noticedBy: { kind: "fault", name: fault },
});
const pragma = (setting: string) =>
  replaced(
    "db/sqlite/open.ts",
    "openDatabase",
    `(dataDir) => {
      const database = original.openDatabase(dataDir);
      database.sqlite.run("PRAGMA ${setting}");
      return database;
    }`,
  );
const unsyncedFolder = (keeps: string) =>
  replaced(
    "src/ops/fs.ts",
    "flushed",
    `async (path) => { if (${keeps}) await original.flushed(path); }`,
  );

/** Defences against the disk, the network and mail servers, each with the fault that shows that it is missing. */
export const AGAINST_FAULTS: readonly Defence[] = [
  // The disk
  inFault(
    "kill -9 under load",
    "the commit before the answer",
    replaced(
      "db/sqlite/store.ts",
      "createSqliteStore",
      // Writes until the late commit join its transaction.
      `({ sqlite, ...database }, ...rest) => {
        const run = sqlite.run.bind(sqlite);
        let isOpen = false;
        let isInside = false;
        sqlite.run = (sql, ...values) => {
          // Looks for a transaction that failed; the late one has not.
          if (sql === "ROLLBACK" && !isInside) return;
          if (sql === "BEGIN IMMEDIATE") {
            if (!isOpen) {
              run(sql);
              setTimeout(() => {
                run("COMMIT");
                isOpen = false;
              }, 300);
            }
            isOpen = isInside = true;
            return run("SAVEPOINT one");
          }
          if (sql === "COMMIT" || sql === "ROLLBACK") {
            isInside = false;
            if (sql === "ROLLBACK") run("ROLLBACK TO one");
            return run("RELEASE one");
          }
          return run(sql, ...values);
        };
        return original.createSqliteStore({ ...database, sqlite, reading: sqlite }, ...rest);
      }`,
    ),
  ),
  inFault(
    "kill -9 under load",
    "the email in the transaction that caused it",
    replaced(
      "db/outbox.ts",
      "insertEmails",
      "async (...args) => void setTimeout(() => void original.insertEmails(...args), 50)",
    ),
  ),
  inFault("power cut under load", "synchronous = FULL", pragma("synchronous = NORMAL")),
  inFault(
    "power cut under load",
    "the sync of a photo's bytes",
    // Folders are still synced.
    replaced(
      "src/photos/photo-folder.ts",
      "openPhotoFolder",
      `async (options) => {
        const handle = await require("node:fs/promises").open(".", "r");
        const FileHandle = Object.getPrototypeOf(handle);
        await handle.close();
        const { sync } = FileHandle;
        FileHandle.sync = async function () {
          if ((await this.stat()).isDirectory()) await sync.call(this);
        };
        return original.openPhotoFolder(options);
      }`,
    ),
  ),
  inFault(
    "power cut under load",
    "the sync of a photo's name",
    unsyncedFolder('!path.endsWith("/photos")'),
  ),
  inFault(
    "power cut under load",
    "the sync of the key and of its name",
    replaced(
      "src/ops/secret-key.ts",
      "generateKey",
      `(folder) => {
        const key = Buffer.from(crypto.getRandomValues(new Uint8Array(32)));
        require("node:fs").writeFileSync(folder + "/secret.key", key);
        return key;
      }`,
    ),
    // Either of the two syncs of the data folder keeps the key.
    unsyncedFolder('path.endsWith("/photos")'),
  ),
  inFault(
    "EIO on every sync",
    "telling a failing disk from a bug",
    replaced(
      "src/ops/fs.ts",
      "codeOf",
      `(error) => {
        const code = original.codeOf(error);
        return code.startsWith("SQLITE_IOERR") ? "" : code;
      }`,
    ),
  ),
  inFault(
    "EIO on every sync",
    "a repeated request is kept once",
    replaced("db/pending.ts", "firstRequest", "async () => null"),
  ),
  inFault(
    "disk full",
    "the log that is kept at the end",
    replaced(
      "db/sqlite/open.ts",
      "openDatabase",
      `(dataDir) => {
        const database = original.openDatabase(dataDir);
        database.sqlite.fileControl(require("bun:sqlite").constants.SQLITE_FCNTL_PERSIST_WAL, 0);
        return database;
      }`,
    ),
  ),
  inFault(
    "two starters at once",
    "the lock on the folder",
    replaced(
      "db/sqlite/open.ts",
      "openDatabase",
      `(dataDir) => {
        const { Database } = require("bun:sqlite");
        const { run } = Database.prototype;
        Database.prototype.run = function (sql, ...rest) {
          return sql === "BEGIN EXCLUSIVE" ? undefined : run.call(this, sql, ...rest);
        };
        return original.openDatabase(dataDir);
      }`,
    ),
  ),
  inFault(
    "kill inside a migration",
    "the transaction around a migration",
    replaced(
      "db/sqlite/migrate.ts",
      "migrate",
      `(sqlite, ...rest) => {
        sqlite.transaction = (work) => Object.assign(work, { immediate: work });
        original.migrate(sqlite, ...rest);
        delete sqlite.transaction;
      }`,
    ),
  ),
  inFault(
    "clock jumps",
    "waiting for a steady clock",
    replaced(
      "src/core/jobs/scheduler.ts",
      "createScheduler",
      `(ports, ...rest) => {
        const heartbeat = async () => {
          const last = await ports.store.heartbeat();
          return last && { ...last, steadySince: 0 };
        };
        return original.createScheduler({ ...ports, store: { ...ports.store, heartbeat } }, ...rest);
      }`,
    ),
  ),
  inFault("a byte scan after erasing", "secure_delete", pragma("secure_delete = OFF")),
  inFault(
    "a byte scan after erasing",
    "wiping the log",
    replaced(
      "db/sqlite/transaction.ts",
      "createWriteAheadLog",
      "(database) => ({ ...original.createWriteAheadLog(database), wipe: () => {} })",
    ),
  ),

  // The network and the mail
  inFault(
    "mail that fails",
    "trying again",
    replaced(
      "src/mail/smtp-outcome.ts",
      "classifySmtpError",
      `(error) => {
        const outcome = original.classifySmtpError(error);
        return outcome.kind === "later" ? { ...outcome, kind: "refused" } : outcome;
      }`,
    ),
  ),
  inFault(
    "mail that fails",
    "places for each domain",
    replaced(
      "src/mail/outbox-worker.ts",
      "createOutboxWorker",
      "(parts) => original.createOutboxWorker({ ...parts, slotsPerDomain: 1_000 })",
    ),
  ),
  inFault(
    "mail that fails",
    "telling one failing email from a general failure",
    replaced(
      "src/mail/smtp-outcome.ts",
      "classifySmtpError",
      '(error) => original.classifySmtpError(Object.assign(error, { command: "" }))',
    ),
  ),
  inFault(
    "hostile recipients",
    "one checked mailbox, handed over as an object",
    replaced("src/core/input.ts", "emailField", 'require("zod").z.string()'),
    replaced("src/core/input.ts", "recipient", "(text) => text"),
    replaced(
      "src/core/input.ts",
      "mailbox",
      '(text) => text.includes("@") ? text : original.mailbox(text)',
    ),
    replaced(
      "src/mail/mime-message.ts",
      "messageOf",
      `(mail, sender, envelope) => ({
        ...original.messageOf(mail, sender, envelope),
        to: envelope.to,
        envelope: { from: envelope.from, to: envelope.to },
      })`,
    ),
  ),
  inFault(
    "one mailbox named by five hundred strangers",
    "the mailbox's budget",
    withoutCaps("confirmationEmailsPerMailbox"),
  ),
  inFault(
    "a stranger's words",
    "leaving the requester's text out",
    replaced(
      "src/core/pending/request.ts",
      "createRequests",
      `(ports, ...rest) => {
        const addPending = (request, now) => {
          const name = request.pending.payload.draft?.name;
          if (name !== undefined) request.email.content.shortCode = name;
          return ports.store.addPending(request, now);
        };
        return original.createRequests({ ...ports, store: { ...ports.store, addPending } }, ...rest);
      }`,
    ),
  ),
  inFault(
    "a stranger's words",
    "relaying without addresses",
    replaced(
      "src/core/pending/changes.ts",
      "changesOf",
      `(ports, pending, payload, ...rest) =>
        original.changesOf(ports, pending, { ...payload, name: pending.email }, ...rest)`,
    ),
  ),
  inFault(
    "racing clicks",
    "one conditional UPDATE that decides",
    // Looks whether it waits, lets others in, and then updates whatever it finds: as a store over a network would.
    replaced(
      "db/requests.ts",
      "confirmQueries",
      `(tools) => {
        const { sql } = require("drizzle-orm");
        const queries = original.confirmQueries(tools);
        const isWaiting = async (id) =>
          (await tools.rows(sql\`select 1 from pending where id = \${id} and state = 'waiting'\`)).length > 0;
        return {
          ...queries,
          async confirmPending(id, ...rest) {
            if (!(await isWaiting(id))) return { kind: "late" };
            await new Promise((resolve) => setImmediate(resolve));
            await tools.write([], (tx) =>
              tx.run(sql\`update pending set state = 'waiting' where id = \${id}\`));
            return queries.confirmPending(id, ...rest);
          },
        };
      }`,
    ),
  ),
  inFault(
    "other sites' forms",
    "the check where a form comes from",
    replaced("src/http/web/layout/form-origin.ts", "refuseOtherSites", "() => {}"),
  ),
  inFault(
    "callers who evade",
    "counting proxies from the right",
    replaced(
      "src/http/middleware/rate-limit.ts",
      "clientIp",
      `(options) => {
        const clientIp = original.clientIp(options);
        return (c) => {
          const leftmost = c.req.header("X-Forwarded-For")?.split(",")[0];
          if (leftmost !== undefined) c.req.raw.headers.set("X-Forwarded-For", leftmost);
          return clientIp(c);
        };
      }`,
    ),
  ),
  inFault(
    "callers who evade",
    "the network of an IPv6 caller",
    replaced(
      "src/core/limits.ts",
      "hitsFor",
      `(ports, kind, caller) => {
        const keyedHash = (purpose) => ports.secrets.keyedHash(purpose, String(caller.address));
        const secrets = { ...ports.secrets, keyedHash };
        return original.hitsFor({ ...ports, secrets }, kind, caller);
      }`,
    ),
  ),
  inFault(
    "callers who evade",
    "the count in the store",
    replaced("db/rate-limits.ts", "noteHits", "async () => {}"),
  ),
  inFault(
    "slow and half-open clients",
    "the idle timeout",
    replaced(
      "src/http/middleware/timeouts.ts",
      "TIMEOUTS",
      "{ ...original.TIMEOUTS, idleSeconds: 0 }",
    ),
  ),
  inFault(
    "many uploads at once",
    "the temporary files",
    replaced(
      "src/photos/uploaded-form.ts",
      "createFormReader",
      `(disk) => async (chunks, contentType) => {
        const held = await Array.fromAsync(chunks);
        const again = (async function* () { yield* held; })();
        const form = await original.createFormReader(disk)(again, contentType);
        return { ...form, close: () => form.close().then(() => held.splice(0)) };
      }`,
    ),
  ),
  inFault(
    "SIGTERM with requests in flight",
    "waiting for requests in flight",
    replaced(
      "src/start.ts",
      "start",
      `(...args) => {
        const { serve } = Bun;
        Bun.serve = (options) =>
          Object.defineProperty(serve(options), "pendingRequests", { get: () => 0 });
        return original.start(...args);
      }`,
    ),
  ),
  inFault(
    "SIGTERM with requests in flight",
    "closing what was opened",
    replaced(
      "src/start.ts",
      "start",
      `async (...args) => {
        const app = await original.start(...args);
        const stop = () => process.exit(0);
        return new Proxy(app, { get: (all, name) => (name === "stop" ? stop : all[name]) });
      }`,
    ),
  ),
];

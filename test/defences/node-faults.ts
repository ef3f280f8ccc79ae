import type { Weakening } from "../chaos/weakened.ts";
import { type Defence, replaced } from "./defence.ts";

const inNodeFault = (fault: string, name: string, ...off: readonly Weakening[]): Defence => ({
  name,
  off,
  noticedBy: { kind: "node fault", name: fault },
});

/** Defences of several nodes, each with the fault that shows that it is missing. */
export const AGAINST_NODE_FAULTS: readonly Defence[] = [
  inNodeFault(
    "a node killed every second",
    "the commit before the answer, on PostgreSQL",
    replaced(
      "db/postgres/transaction.ts",
      "createWrite",
      `(...parts) => {
        const write = original.createWrite(...parts);
        return (subjects, work, ms) =>
          new Promise((resolve, reject) => {
            write(
              subjects,
              async (tx) => {
                const result = await work(tx);
                resolve(result);
                await Bun.sleep(200);
                return result;
              },
              ms,
            ).catch(reject);
          });
      }`,
    ),
  ),
  inNodeFault(
    "a node frozen past its lease",
    "the end of the lease",
    replaced(
      "src/ops/node.ts",
      "joinCluster",
      `(parts) =>
        original.joinCluster({
          ...parts,
          store: { ...parts.store, takeLead: (id) => parts.store.takeLead(id, 3_600_000) },
        })`,
    ),
  ),
  inNodeFault(
    "a node cut off from the database",
    "forgetting what is stale",
    replaced(
      "src/ops/node.ts",
      "joinCluster",
      `async (parts) => ({
        ...(await original.joinCluster(parts)),
        refresh() {},
        isReady: () => true,
      })`,
    ),
    replaced(
      "src/core/jobs/index-sync.ts",
      "createIndexWriter",
      "(...parts) => ({ ...original.createIndexWriter(...parts), failed() {} })",
    ),
  ),
  inNodeFault(
    "connections cut at commit",
    "the ledger of commits",
    replaced("db/postgres/nodes.ts", "wasCommitted", "async () => false"),
  ),
  inNodeFault(
    "a clock 30 seconds ahead",
    "the comparison with the database's clock",
    replaced("src/ops/health-checks.ts", "CLOCK_WRONG_MS", "1e12"),
  ),
  inNodeFault(
    "a node cut off from the mail server",
    "postponing an email",
    replaced(
      "db/outbox.ts",
      "outboxQueries",
      `(tools) => {
        const queries = original.outboxQueries(tools);
        return {
          ...queries,
          postponeEmail: ({ id }) =>
            queries.closeEmails([{ id, outcome: "given_up", mailboxHash: null }], Date.now()),
        };
      }`,
    ),
  ),
  inNodeFault(
    "a bucket that hangs",
    "the list before the removal",
    replaced(
      "src/storage/bucket/tombstones.ts",
      "bucketTombstones",
      `(bucket) => {
        const put = async (...object) => void bucket.put(...object).catch(() => {});
        return original.bucketTombstones({ ...bucket, put });
      }`,
    ),
  ),
  inNodeFault(
    "a database put back in time",
    "the history of the database",
    replaced(
      "src/core/jobs/index-sync.ts",
      "createIndexSync",
      `(ports, writer) => {
        const { store } = ports;
        const changesSince = async (since, limit) => {
          const changes = await store.changesSince(since, limit);
          return { ...changes, history: "", revision: Math.max(since, changes.revision) };
        };
        const position = async () => ({ ...(await store.position()), history: "" });
        return original.createIndexSync(
          { ...ports, store: { ...store, changesSince, position } },
          writer,
        );
      }`,
    ),
  ),
  inNodeFault(
    "a release beside the one before",
    "migrations that only add",
    replaced(
      "test/support/next-release.ts",
      "NEXT_RELEASE",
      `[
        original.oneMore("postgres", {
          name: "taking_away",
          sql: "alter table short_code add column kind text not null",
          programs: 1,
        }),
      ]`,
    ),
  ),
];

import type { Cluster } from "../../settings/config.ts";
import { type CheckResult, faultFound, fix, ok, warn } from "../../ops/check-result.ts";
import { Fault } from "../../core/fault.ts";
import { archiving, clockAgreement, mailFlow } from "../../ops/health-checks.ts";
import type { ClusterState } from "../../storage/cluster.ts";
import type { Clock } from "../../core/instance.ts";

/** Checks the database, the bucket and the key that the nodes of a cluster share. Changes nothing. */
export async function checkCluster(cluster: Cluster, clock: Clock): Promise<CheckResult[]> {
  const { examineCluster } = await import("../../storage/cluster.ts");
  const { server, pooler, key, bucket, outbox } = await examineCluster(cluster, clock);
  return [
    ...(server instanceof Fault
      ? [faultFound(server)]
      : [
          ...checkServer(server, cluster),
          okUnless(pooler, "Nodes hear of each other's changes at once"),
          okUnless(key, "The key file matches the database"),
        ]),
    okUnless(bucket, "The bucket of S3_URL can be written, read, listed and cleared"),
    ...(outbox === null ? [] : [mailFlow(outbox, { pausedSince: null, awakeSince: 0 }, clock())]),
  ];
}

type ServerFacts = Exclude<ClusterState["server"], Fault>;

function checkServer(
  server: ServerFacts,
  { connections, isServerVerified }: Cluster,
): CheckResult[] {
  const { version, isDurable, isSynchronous, transport, connectionsMax, archive } = server;
  return [
    ok(`The database answers: PostgreSQL ${version}`),
    clockAgreement(server.clockOffset),
    isDurable
      ? ok("What the database confirms is on its disk")
      : fix(
          "A power cut can lose what the database has confirmed (fsync, synchronous_commit)",
          "Set both to on.",
        ),
    isSynchronous
      ? ok("Every commit waits for a standby")
      : warn(
          "Commits wait for no standby: what was confirmed last is lost with the primary",
          "Use synchronous replication (see docs/cluster.md). Some providers replicate without this setting.",
        ),
    checkTransport(transport, isServerVerified),
    archiving(archive),
    connectionsMax > 2 * (connections + 1)
      ? ok(`The server allows ${connectionsMax} connections, a node opens ${connections + 1}`)
      : warn(
          `The server allows ${connectionsMax} connections, a node opens ${connections + 1}`,
          "Raise max_connections, or lower DATABASE_POOL.",
        ),
  ];
}

function checkTransport(
  transport: ServerFacts["transport"],
  isServerVerified: boolean,
): CheckResult {
  const advice =
    "Add ?sslmode=verify-full to DATABASE_URL (see docs/cluster.md), unless the network is private.";
  if (transport === "clear")
    return warn("The connection to the database crosses the network without encryption", advice);
  if (transport === "encrypted" && !isServerVerified)
    return warn(
      "The connection to the database is encrypted, but another server could pretend to be it",
      advice,
    );
  return ok("The network cannot read what is said to the database");
}

function okUnless(fault: Fault | null, text: string): CheckResult {
  return fault === null ? ok(text) : faultFound(fault);
}

import { SQL } from "bun";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { NOBODY, POSTGRES, watchFolder } from "./postgres.ts";
import { freePort, holdsBefore } from "./process.ts";
import { findProgram, isRoot, missingProgram, PROGRAMS } from "./system-programs.ts";

// PostgreSQL as a cluster of machines runs it: members under Patroni, which asks etcd for the lead, and HAProxy in front.
// All of it runs on this machine as an unprivileged user. etcd has one member here instead of three, and there is no
// watchdog device: deploy/cluster/README.md says what that leaves out.

const { etcd: ETCD, haproxy: HAPROXY, patroni: PATRONI } = PROGRAMS;

/** Sentence for the reader when a program of the cluster is missing; null when all are there. */
export function missingFromCluster(): string | null {
  return [POSTGRES, ETCD, PATRONI, HAPROXY].map(missingProgram).find((one) => one !== null) ?? null;
}

export type ClusterOptions = {
  /** Ports of the nodes that HAProxy shares visitors out to. */
  readonly nodePorts?: readonly number[];
};

export type Member = {
  readonly name: string;
  readonly folder: string;
  readonly port: number;
  readonly restPort: number;
};

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

const MEMBERS = 3;
const USER = "tests";
const DATABASE = "pet_alert";
/** Longer than a fail-over takes on a busy machine: Patroni's ttl is 20 seconds. */
const READY_SECONDS_MAX = 180;
const ANSWER_MS_MAX = 2_000;

/** Starts a cluster in a scratch folder and waits until its primary has a synchronous standby. End it with `stop`. */
export async function startCluster({ nodePorts = [] }: ClusterOptions = {}) {
  const programs = {
    etcd: findProgram(ETCD),
    patroni: findProgram(PATRONI),
    haproxy: findProgram(HAPROXY),
    postgres: findProgram(POSTGRES),
  };
  const folder = mkdtempSync(join(tmpdir(), "pet-alert-cluster-"));
  own(folder);
  const end = await watchFolder(folder);

  function run(name: string, command: readonly string[]) {
    const home = join(folder, name);
    if (!existsSync(home)) mkdirSync(home, { mode: 0o700 });
    own(home);
    const log = openSync(join(home, "log"), "a");
    const child = Bun.spawn([...command], {
      cwd: home,
      env: { PATH: process.env["PATH"] ?? "", HOME: home, LC_ALL: "C.UTF-8" },
      stdin: "ignore",
      stdout: log,
      stderr: log,
      ...(isRoot() ? { uid: NOBODY.uid, gid: NOBODY.gid } : {}),
    });
    child.unref();
    return child;
  }
  const write = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    chmodSync(path, 0o644);
    return path;
  };

  const ports = {
    etcd: await freePort(),
    etcdPeer: await freePort(),
    database: await freePort(),
    pages: await freePort(),
  };
  const members: Member[] = [];
  for (let nth = 1; nth <= MEMBERS; nth++)
    members.push({
      name: `member${nth}`,
      folder: join(folder, `member${nth}`),
      port: await freePort(),
      restPort: await freePort(),
    });
  run("etcd", [programs.etcd, ...etcdOptions(ports.etcd, ports.etcdPeer)]);
  const startMember = (member: Member) => {
    const file = patroniFile(member, {
      etcdPort: ports.etcd,
      user: USER,
      binaries: dirname(programs.postgres),
    });
    run(member.name, [programs.patroni, write(`${member.name}.yml`, file)]);
  };
  for (const member of members) startMember(member);
  const proxy = haproxyFile({ ...ports, members, nodePorts });
  run("haproxy", [programs.haproxy, "-db", "-f", write("haproxy.cfg", proxy)]);

  const url = (port: number, database: string) =>
    `postgres://${USER}@127.0.0.1:${port}/${database}`;

  async function roles(): Promise<ReadonlyMap<string, string>> {
    for (const { restPort } of members) {
      const answer = await answerOf(`http://127.0.0.1:${restPort}/cluster`);
      if (answer === null) continue;
      const { members: seen } = (await answer.json()) as {
        members: { name: string; role: string; state: string }[];
      };
      const running = seen.filter(({ state }) => state === "running" || state === "streaming");
      return new Map(running.map(({ name, role }) => [name, role]));
    }
    return new Map();
  }

  /** Member that HAProxy takes for the primary; null while there is none. */
  async function primary(): Promise<Member | null> {
    for (const member of members)
      if ((await answerOf(`http://127.0.0.1:${member.restPort}/primary`))?.ok) return member;
    return null;
  }

  async function mustHold(what: string, holds: () => Promise<boolean>): Promise<void> {
    if (!(await holdsBefore(READY_SECONDS_MAX, holds)))
      throw new Error(`the cluster has ${what} not even after a while:\n${logs(folder)}`);
  }

  /** Resolves when the database takes writes through HAProxy. */
  const whenWritable = () =>
    mustHold("no writable primary", () => isWritable(url(ports.database, "postgres")));

  /** Resolves when the primary has all its standbys; one of them is synchronous. */
  async function whenWhole(): Promise<void> {
    await mustHold("no synchronous standby", async () => {
      const running = await roles();
      const isSafe = [...running.values()].includes("sync_standby");
      return running.size === MEMBERS && isSafe && (await primary()) !== null;
    });
    await whenWritable();
  }

  const cluster = {
    folder,
    members,
    /** Addresses of databases, through HAProxy. */
    url: url(ports.database, DATABASE),
    urlOf: (database: string) => url(ports.database, database),
    /** Address at which HAProxy shares visitors out to the nodes. */
    pages: `http://127.0.0.1:${ports.pages}`,
    roles,
    primary,
    whenWritable,
    whenWhole,
    async mustPrimary(): Promise<Member> {
      const member = await primary();
      if (member === null) throw new Error("the cluster has no primary just now");
      return member;
    },
    /** Kills a member's server with all its processes; with `patroni`, as if the machine had died. */
    kill(member: Member, { patroni }: { readonly patroni: boolean }): void {
      const under = patroni ? member.folder : join(member.folder, "data");
      for (const pid of processesIn(under)) signal(pid, "SIGKILL");
    },
    /** Starts the Patroni of a member that was killed, which starts the server. */
    start: startMember,
    /** Stops all processes of a member, as a machine does that hangs. */
    freeze(member: Member): void {
      for (const pid of processesIn(member.folder)) signal(pid, "SIGSTOP");
    },
    thaw(member: Member): void {
      for (const pid of processesIn(member.folder)) signal(pid, "SIGCONT");
    },
    /** Hands the lead to another member in an orderly way; resolves when it has it. */
    async switchOver(): Promise<void> {
      const leader = await this.mustPrimary();
      const answer = await fetch(`http://127.0.0.1:${leader.restPort}/switchover`, {
        method: "POST",
        body: JSON.stringify({ leader: leader.name }),
      });
      if (!answer.ok) throw new Error(`no switch-over: ${await answer.text()}`);
    },
    logs: () => logs(folder),
    /** Ends everything and removes the folder. */
    stop: end,
  };
  try {
    await cluster.whenWhole();
    const admin = new SQL(url(ports.database, "postgres"), { max: 1 });
    await admin.unsafe(`create database ${DATABASE}`);
    await admin.close();
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

/** Reason for which HAProxy refuses a file; empty when it accepts it. */
export async function refusalOfHaproxy(file: string): Promise<string> {
  const child = Bun.spawn([findProgram(HAPROXY), "-c", "-q", "-f", file], { stderr: "pipe" });
  const [code, text] = await Promise.all([child.exited, new Response(child.stderr).text()]);
  return code === 0 ? "" : text;
}

/** Version of Patroni. Before 4 a primary that was frozen and thawed can take the lead back and lose writes. */
export async function patroniVersion(): Promise<string> {
  const child = Bun.spawn([findProgram(PATRONI), "--version"], { stdout: "pipe" });
  return (await new Response(child.stdout).text()).trim().replace(/^patroni /, "");
}

function own(path: string): void {
  if (isRoot()) chownSync(path, NOBODY.uid, NOBODY.gid);
}

/** Processes whose working directory is this folder or lies in it. Servers work in their data folder. */
function processesIn(folder: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const cwd = workingDirectory(pid);
      return cwd === folder || cwd.startsWith(`${folder}/`);
    });
}

function workingDirectory(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    // It has ended, or belongs to somebody else.
    return "";
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}

/** Null if there is no answer in time. */
async function answerOf(address: string): Promise<Response | null> {
  try {
    return await fetch(address, { signal: AbortSignal.timeout(ANSWER_MS_MAX) });
  } catch {
    return null;
  }
}

async function isWritable(url: string): Promise<boolean> {
  const client = new SQL(url, { max: 1, connectionTimeout: 2, onclose: () => {} });
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), ANSWER_MS_MAX);
  const asked = client.unsafe("select pg_is_in_recovery() as standby").then(
    ([row]: { standby: boolean }[]) => row?.standby === false,
    () => false,
  );
  try {
    return await Promise.race([asked, late.promise]);
  } finally {
    clearTimeout(timer);
    void client.close({ timeout: 0 }).catch(() => {});
  }
}

const LOG_CHARACTERS = 2_000;

function logs(folder: string): string {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, "log")))
    .map(({ name }) => {
      const text = readFileSync(join(folder, name, "log"), "utf8");
      return `${name}: ${text.slice(-LOG_CHARACTERS)}`;
    })
    .join("\n");
}

// Settings of the programs of the test cluster. deploy/cluster has the files for real machines, and says where these
// differ.

/** Options of the one member of etcd. */
export function etcdOptions(port: number, peerPort: number): readonly string[] {
  const clients = `http://127.0.0.1:${port}`;
  const peers = `http://127.0.0.1:${peerPort}`;
  return [
    "--name=etcd",
    "--data-dir=data",
    `--listen-client-urls=${clients}`,
    `--advertise-client-urls=${clients}`,
    `--listen-peer-urls=${peers}`,
    `--initial-advertise-peer-urls=${peers}`,
    `--initial-cluster=etcd=${peers}`,
  ];
}

type PatroniOptions = {
  readonly etcdPort: number;
  readonly user: string;
  /** Folder of PostgreSQL's programs. */
  readonly binaries: string;
};

/** YAML of a member; JSON is YAML. */
export function patroniFile(member: Member, options: PatroniOptions): string {
  const { folder, name, port, restPort } = member;
  const { etcdPort, user, binaries } = options;
  const login = { username: user, password: "not-asked-for" };
  const trusted = ["local all all trust", "host all all 127.0.0.1/32 trust"];
  return JSON.stringify(
    {
      scope: "pet-alert",
      name,
      restapi: {
        listen: `127.0.0.1:${restPort}`,
        connect_address: `127.0.0.1:${restPort}`,
      },
      etcd3: { host: `127.0.0.1:${etcdPort}` },
      bootstrap: {
        dcs: {
          ttl: 20,
          loop_wait: 2,
          retry_timeout: 5,
          synchronous_mode: true,
          // A standby of the tests may be far behind when the primary dies: that is what losing means.
          maximum_lag_on_failover: 1_000_000_000,
          postgresql: {
            use_pg_rewind: true,
            parameters: {
              max_connections: 200,
              shared_buffers: "32MB",
              // Deadlocks of the tests end soon.
              deadlock_timeout: "200ms",
            },
          },
        },
        initdb: [{ encoding: "UTF8" }, { locale: "C.UTF-8" }, "data-checksums"],
      },
      postgresql: {
        listen: `127.0.0.1:${port}`,
        connect_address: `127.0.0.1:${port}`,
        data_dir: `${folder}/data`,
        bin_dir: binaries,
        pgpass: `${folder}/pgpass`,
        authentication: { superuser: login, replication: login, rewind: login },
        parameters: { unix_socket_directories: folder },
        pg_hba: [...trusted, "host replication all 127.0.0.1/32 trust"],
        remove_data_directory_on_rewind_failure: true,
        remove_data_directory_on_diverged_timelines: true,
      },
      watchdog: { mode: "off" },
    },
    null,
    2,
  );
}

type HaproxyOptions = {
  /** Port on which it leads to the primary. */
  readonly database: number;
  /** Port on which it shares visitors out to the nodes. */
  readonly pages: number;
  readonly members: readonly Member[];
  readonly nodePorts: readonly number[];
};

export function haproxyFile({ database, pages, members, nodePorts }: HaproxyOptions): string {
  return `
global
  maxconn 2000

defaults
  timeout connect 2s
  timeout check 1s
  timeout client 1h
  timeout server 1h

listen database
  bind 127.0.0.1:${database}
  mode tcp
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${members.map(({ name, port, restPort }) => `  server ${name} 127.0.0.1:${port} check port ${restPort}`).join("\n")}

listen pages
  bind 127.0.0.1:${pages}
  mode http
  balance source
  hash-type consistent
  option forwardfor
  option redispatch
  option httpchk GET /readyz
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1
${nodePorts.map((port, nth) => `  server node${nth + 1} 127.0.0.1:${port} check`).join("\n")}
`;
}

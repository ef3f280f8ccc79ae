import type { Member } from "./cluster.ts";

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

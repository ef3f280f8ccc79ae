import { mkdirSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import type { Config } from "../../config.ts";
import { DAY_MS } from "../../core/duration.ts";
import { type Finding, mend, ok, warn } from "../../core/finding.ts";
import { lastBackupAt } from "../../start.ts";
import { localAddress } from "../health.ts";

const BYTES_PER_GB = 1_000_000_000;
/** Less free space stops the service soon; a little more is worth a word. */
const FREE_BYTES_MIN = 0.1 * BYTES_PER_GB;
const FREE_BYTES_ENOUGH = 1 * BYTES_PER_GB;
/** No machine that runs this lives before it was written. */
const WRITTEN_AT = Date.UTC(2026, 10, 1);
const CLOCK_DRIFT_MS = 60_000;
/** One is made a day; a second chance is not worth a word. */
const BACKUP_OLD_MS = 2 * DAY_MS;
const HEALTH_TIMEOUT_MS = 3_000;

/** Whether the machine is fit for the service: its disk, clock, port, public address and backups. Makes the data folder if it is missing. */
export async function checkMachine(config: Config, now: number): Promise<Finding[]> {
  return [
    ...checkFolder(config.dataDir, now),
    await checkPort(config),
    checkAddress(config),
    checkBackups(config, now),
  ];
}

function checkFolder(dataDir: string, now: number): Finding[] {
  const path = resolve(dataDir);
  const trial = join(path, "check.part");
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    writeFileSync(trial, "", { flush: true });
    const writtenAt = statSync(trial).mtimeMs;
    rmSync(trial);
    const { bavail, bsize } = statfsSync(path);
    return [checkSpace(path, bavail * bsize), checkClock(writtenAt, now)];
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    return [
      mend(
        `The data folder ${path} cannot be written (${code})`,
        "Give it to the user that runs the service, or set DATA_DIR to another folder.",
      ),
    ];
  }
}

function checkSpace(path: string, freeBytes: number): Finding {
  const free = `${(freeBytes / BYTES_PER_GB).toFixed(1)} GB free`;
  const advice =
    "Make room: delete what BACKUP_KEEP and earlier versions left, or get a larger disk.";
  if (freeBytes < FREE_BYTES_MIN) return mend(`The disk of ${path} is full: ${free}`, advice);
  if (freeBytes < FREE_BYTES_ENOUGH)
    return warn(`The disk of ${path} is nearly full: ${free}`, advice);
  return ok(`The data folder ${path} can be written, ${free}`);
}

function checkClock(diskTime: number, now: number): Finding {
  const time = new Date(now).toISOString();
  const advice = "Let it be set over the network (timedatectl set-ntp true).";
  if (now < WRITTEN_AT) return mend(`The clock is wrong: it says ${time}`, advice);
  if (Math.abs(diskTime - now) > CLOCK_DRIFT_MS)
    return warn(`The clocks of machine and disk differ; the machine's says ${time}`, advice);
  return ok(`The clock says ${time}`);
}

/** Free, or taken by the service itself. */
async function checkPort({ host, port }: Config): Promise<Finding> {
  const code = await refusalToListen(host, port);
  if (code === null) return ok(`Port ${port} is free`);
  if (code === "EADDRINUSE") {
    const health = await healthAt(host, port);
    return health === null
      ? mend(`Port ${port} is taken by another program`, "Set PORT to another one.")
      : ok(`The service runs on port ${port}, version ${health}`);
  }
  return mend(
    `Nothing can listen on ${host}:${port} (${code})`,
    code === "EACCES" ? "Set PORT to one above 1023." : "Check HOST and PORT.",
  );
}

function refusalToListen(host: string, port: number): Promise<string | null> {
  return new Promise((answer) => {
    const probe = createServer();
    probe.on("error", (error: NodeJS.ErrnoException) => answer(error.code ?? "unknown error"));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => answer(null)));
  });
}

/** The version of a Pet Alert that listens there, or null. */
async function healthAt(host: string, port: number): Promise<string | null> {
  try {
    const answer = await fetch(`${localAddress({ host, port })}/healthz`, {
      signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS),
    });
    const health: unknown = await answer.json();
    const isOurs = typeof health === "object" && health !== null && "version" in health;
    return isOurs && typeof health.version === "string" ? health.version : null;
  } catch {
    return null;
  }
}

function checkAddress({ baseUrl, trustProxy }: Config): Finding {
  const { protocol, hostname } = new URL(baseUrl);
  if (hostname === "localhost" || /^127\.|^\[::1\]$/.test(hostname))
    return warn(
      `Links begin with ${baseUrl}: they open on this machine only`,
      "Set BASE_URL to the public address once there is one.",
    );
  if (protocol === "http:")
    return mend(
      `${baseUrl} is not encrypted: private links could be read on the way`,
      "Put a reverse proxy with https in front (see deploy/Caddyfile), and set BASE_URL to its address.",
    );
  if (trustProxy === 0)
    return warn(
      `Links begin with ${baseUrl}, and no proxy is trusted`,
      "With a reverse proxy in front set TRUST_PROXY=1: else all callers share one limit, the proxy's.",
    );
  return ok(`Links begin with ${baseUrl}`);
}

function checkBackups({ dataDir, backupKeep }: Config, now: number): Finding {
  if (backupKeep === 0)
    return warn(
      "No daily backup is made (BACKUP_KEEP is off)",
      "Run pet-alert backup yourself, and keep copies on another machine.",
    );
  const last = lastBackupAt(dataDir, now);
  if (last === null)
    return ok("There is no backup yet: the service makes the first one when it starts");
  const when = new Date(last).toISOString();
  return now - last > BACKUP_OLD_MS
    ? warn(
        `The last backup is of ${when}`,
        "See what the service says about it: its log has backup_failed.",
      )
    : ok(
        `The last backup is of ${when}`,
        "It lies on the same disk: copy it to another machine from time to time.",
      );
}

import { mkdirSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import type { Config } from "../../config.ts";
import { Fault } from "../../core/fault.ts";
import { type Finding, mend, ok, warn } from "../../core/finding.ts";
import { backupAge, mailFlow, spaceLeft } from "../../core/upkeep.ts";
import { isOpenToOthers, lastBackupAt, outboxOf } from "../../start.ts";
import { localAddress } from "../health.ts";

/** No machine that runs this lives before it was written. */
const WRITTEN_AT = Date.UTC(2026, 10, 1);
const CLOCK_DRIFT_MS = 60_000;
const HEALTH_TIMEOUT_MS = 3_000;

/**
 * Whether the machine is fit for the service: its disk, clock, port, public address and backups, and whether letters go.
 * Makes the data folder if it is missing.
 */
export async function checkMachine(config: Config, now: number): Promise<Finding[]> {
  return [
    ...checkFolder(config.dataDir, now),
    await checkPort(config),
    checkAddress(config),
    checkBackups(config, now),
    ...(await checkOutbox(config, now)),
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
    return [
      spaceLeft(path, bavail * bsize),
      ...(isOpenToOthers(path) ? [othersMayEnter(path)] : []),
      checkClock(writtenAt, now),
    ];
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

function othersMayEnter(path: string): Finding {
  return warn(
    `Other users of this machine can enter the data folder ${path}`,
    "The service shuts them out when it starts, where the folder is its own. Else: chmod 700, as its owner.",
  );
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
  if (code === null) return ok(`Port ${port} is free: no service runs on it`);
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
  return backupAge(lastBackupAt(dataDir, now), now);
}

/** Nothing where there is no database yet, or one that this program cannot read. */
async function checkOutbox({ dataDir }: Config, now: number): Promise<Finding[]> {
  try {
    return [mailFlow(await outboxOf(dataDir), { pausedSince: null, awakeSince: 0 }, now)];
  } catch (error) {
    if (error instanceof Fault) return [];
    throw error;
  }
}

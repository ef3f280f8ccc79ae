import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join, resolve } from "node:path";
import type { Config } from "../../settings/config.ts";
import { Fault } from "../../core/fault.ts";
import { type CheckResult, faultFound, fix, ok, warn } from "../../ops/check-result.ts";
import {
  canForgeClientIp,
  forgedClientIpWarning,
  localAddress,
  unreachableNodeWarning,
} from "../../settings/reachability.ts";
import {
  backupAge,
  clientAddresses,
  copyAge,
  mailFlow,
  oldCopiesKept,
  spaceLeft,
} from "../../ops/health-checks.ts";
import { checkDatabase } from "../../../db/sqlite/backups/check.ts";
import { DATABASE_FILE, isOpenToOthers } from "../../../db/sqlite/open.ts";
import { encrypterFor } from "../../backups/key.ts";
import { examineKey } from "../../storage/folder.ts";
import { isThere } from "../../../db/sqlite/plain-files.ts";
import { lastBackupAt } from "../../../db/sqlite/backups/daily-backups.ts";
import { listCopies, newestCopy } from "../../backups/list.ts";
import { oldCopies } from "../../../db/sqlite/backups/old-copies.ts";
import { openTarget } from "../../backups/target.ts";
import { openStorageToRead } from "../../storage/open.ts";
import { requireCopyKey } from "../../settings/backup-copies.ts";
import { CONTROL_SOCKET } from "../../http/control.ts";
import { codeOf } from "../../ops/fs.ts";
import { escapeControls, formatNumber, plural } from "../../text/terminal-text.ts";
import { isLoopback } from "../../core/ip-address.ts";

/** An earlier clock is wrong: the program did not exist yet. */
const EARLIEST_TIME = Date.UTC(2026, 10, 1);
const HEALTH_TIMEOUT_MS = 3_000;

/** Checks port, public address and proxy. */
export async function checkNetwork(config: Config): Promise<CheckResult[]> {
  return [
    await checkPort(config),
    checkAddress(config),
    ...checkProxy(config),
    ...(await checkClientAddresses(config)),
  ];
}

/** Checks data folder, clock, backups and outbox. Leaves nothing behind: what root creates, the service cannot use. */
export async function checkData(config: Config, now: number): Promise<CheckResult[]> {
  return [
    ...checkFolder(config.dataDir, now),
    ...checkStored(config.dataDir),
    ...checkKey(config.dataDir),
    checkBackups(config, now),
    ...(await checkCopies(config, now)),
    ...(await checkOutbox(config, now)),
  ];
}

function checkFolder(dataDir: string, now: number): CheckResult[] {
  const path = resolve(dataDir);
  try {
    const there = nearestFolder(path);
    accessSync(there, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(there);
    const space = spaceLeft(path, bavail * bsize);
    const isOpen = there === path && isOpenToOthers(path);
    return [space, ...(isOpen ? [othersMayEnter(path)] : []), checkClock(now)];
  } catch (error) {
    return [
      fix(
        `The data folder ${path} is not writable (${codeOf(error) || "unknown error"})`,
        "Make the service's user its owner, or set DATA_DIR to another folder.",
      ),
    ];
  }
}

/** The folder, or the one in which the service would create it. */
function nearestFolder(path: string): string {
  const above = dirname(path);
  return existsSync(path) || above === path ? path : nearestFolder(above);
}

/** Empty if there is no database yet. */
function checkStored(dataDir: string): CheckResult[] {
  const path = resolve(dataDir);
  try {
    if (!isThere(join(path, DATABASE_FILE))) return [];
    const { alerts, zones } = checkDatabase(path);
    const contents = `${plural(alerts, "alert")}, ${plural(zones, "zone")}`;
    return [
      ok(`Every page and row of the database is readable: ${contents}`),
      ...foreignOwner(path),
      ...linksAmongPhotos(path),
      ...oldCopiesKept(oldCopies(path)),
    ];
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return [fix(error.message.replace(/\.$/, ""), "Stop the service and restore a backup.")];
  }
}

/** Reports a database whose owner is not the folder's owner and can change it. */
function foreignOwner(path: string): CheckResult[] {
  const [folder, database] = [path, join(path, DATABASE_FILE)].map((one) => statSync(one).uid);
  return folder === database
    ? []
    : [
        warn(
          `The database in ${path} and its folder belong to different users (${database}, ${folder})`,
          "Find out who put it there, and make the service's user its owner (chown).",
        ),
      ];
}

function linksAmongPhotos(path: string): CheckResult[] {
  const photos = join(path, "photos");
  if (!isThere(photos)) return [];
  const links = readdirSync(photos, { withFileTypes: true }).filter((entry) => !entry.isFile());
  return links.length === 0
    ? []
    : [
        warn(
          `${photos} contains entries that are not regular files (${formatNumber(links.length)}), such as ${escapeControls(links[0]!.name)}`,
          "They are not served. Pet Alert does not create them: find out who did, and delete them.",
        ),
      ];
}

/** Empty if there is no database yet, or one that this program cannot read. */
function checkKey(dataDir: string): CheckResult[] {
  const state = examineKey(dataDir);
  if (state === "unknown") return [];
  if (state === "fits") return [ok("The key file matches the database")];
  return [faultFound(state)];
}

function othersMayEnter(path: string): CheckResult {
  return warn(
    `Other users of this machine can enter the data folder ${path}`,
    "The service fixes this at start if it owns the folder. Otherwise run chmod 700 as its owner.",
  );
}

function checkClock(now: number): CheckResult {
  const time = new Date(now).toISOString();
  const advice = "Synchronize it over the network (timedatectl set-ntp true).";
  if (now < EARLIEST_TIME) return fix(`The clock is wrong: it says ${time}`, advice);
  return ok(`The clock says ${time}`);
}

/** Ok when the port is free or used by the service itself. */
async function checkPort({ host, port }: Config): Promise<CheckResult> {
  const code = await refusalToListen(host, port);
  if (code === null) return ok(`Port ${port} is free: no service is running on it`);
  if (code === "EADDRINUSE") {
    const health = await healthAt(host, port);
    return health === null
      ? fix(`Port ${port} is in use by another program`, "Set PORT to another port.")
      : ok(`The service is running on port ${port}, version ${health}`);
  }
  return fix(
    `Cannot listen on ${host}:${port} (${code})`,
    code === "EACCES" ? "Set PORT to a port above 1023." : "Check HOST and PORT.",
  );
}

function refusalToListen(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "unknown error"));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(null)));
  });
}

/** Version of the Pet Alert that listens there, or null. */
async function healthAt(host: string, port: number): Promise<string | null> {
  try {
    const response = await fetch(`${localAddress({ host, port })}/healthz`, {
      signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS),
    });
    const health: unknown = await response.json();
    const isOurs = typeof health === "object" && health !== null && "version" in health;
    return isOurs && typeof health.version === "string" ? health.version : null;
  } catch {
    return null;
  }
}

function checkAddress({ baseUrl, trustProxy }: Config): CheckResult {
  const { protocol, hostname } = new URL(baseUrl);
  if (isLoopback(hostname))
    return warn(
      `Links begin with ${baseUrl} and work on this machine only`,
      "Set BASE_URL to the public address once you have one.",
    );
  if (protocol === "http:")
    return fix(
      `${baseUrl} is not encrypted: private links can be read in transit`,
      "Use a reverse proxy with https (see deploy/Caddyfile), and set BASE_URL to its address.",
    );
  if (trustProxy === 0)
    return warn(
      `Links begin with ${baseUrl}, but no proxy is trusted`,
      "Behind a reverse proxy set TRUST_PROXY=1. Otherwise all clients share one rate limit, the proxy's.",
    );
  return ok(`Links begin with ${baseUrl}`);
}

function checkProxy(config: Config): CheckResult[] {
  const found = canForgeClientIp(config)
    ? forgedClientIpWarning(config)
    : unreachableNodeWarning(config);
  return found === null ? [] : [warn(found.text, found.advice)];
}

/** Asks the running service if it can read the addresses of clients. Empty if none runs, or there is no proxy. */
async function checkClientAddresses(config: Config): Promise<CheckResult[]> {
  if (config.trustProxy === 0 || config.cluster !== null) return [];
  const metrics = await fetch("http://control/metrics", {
    unix: join(config.dataDir, CONTROL_SOCKET),
    signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS),
  })
    .then((response) => response.text())
    .catch(() => null);
  if (metrics === null) return [];
  return [clientAddresses(metrics.includes('pet_alert_operator_alarm{about="proxy"} 1'))];
}

function checkBackups({ dataDir, backupKeep, backupCopy }: Config, now: number): CheckResult {
  if (backupKeep === 0)
    return warn(
      "Daily backups are off (BACKUP_KEEP)",
      "Run pet-alert backup yourself, and keep copies on another machine.",
    );
  return backupAge(lastBackupAt(dataDir, now), now, backupCopy !== null);
}

/** Looks whether the place for copies of backups can be used, and how old the newest copy is. Leaves nothing there. */
async function checkCopies({ backupCopy }: Config, now: number): Promise<CheckResult[]> {
  if (backupCopy === null) return [];
  try {
    encrypterFor(requireCopyKey(backupCopy).publicKey);
    const target = openTarget(backupCopy.target);
    await target.refuseUnusable();
    const lastAt = newestCopy(await listCopies(target), now)?.madeAt ?? null;
    return [copyAge({ lastAt, isFailing: false }, now)];
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return [faultFound(error)];
  }
}

/** Empty if there is no database yet, or one that this program cannot read. */
async function checkOutbox(config: Config, now: number): Promise<CheckResult[]> {
  try {
    const { store } = await openStorageToRead(config);
    try {
      const outbox = await store.outboxState();
      return [mailFlow(outbox, { pausedSince: null, awakeSince: 0 }, now)];
    } finally {
      await store.close();
    }
  } catch (error) {
    if (error instanceof Fault) return [];
    throw error;
  }
}

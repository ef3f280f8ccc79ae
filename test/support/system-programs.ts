import * as bunTest from "bun:test";

/** Program that tests run and that is no npm package. */
export type SystemProgram = {
  /** Names on the PATH, or absolute paths. Any of them will do. */
  readonly names: readonly string[];
  readonly debianPackages: readonly string[];
  /** Environment variable with its path, for machines that have it elsewhere. */
  readonly setting?: string;
};

const CHROMIUM_NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** All programs that tests run. `bun run test:install` installs those that are missing. */
export const PROGRAMS = {
  age: { names: ["age"], debianPackages: ["age"] },
  arm64Libraries: {
    names: ["/usr/aarch64-linux-gnu/lib/ld-linux-aarch64.so.1"],
    debianPackages: ["libc6-arm64-cross"],
  },
  chromium: {
    names: CHROMIUM_NAMES,
    debianPackages: ["chromium"],
    setting: "CHROMIUM",
  },
  curl: { names: ["curl"], debianPackages: ["curl"] },
  dbus: { names: ["dbus-daemon"], debianPackages: ["dbus"] },
  dovecot: { names: ["/usr/sbin/dovecot"], debianPackages: ["dovecot-imapd"] },
  dovecotLmtp: { names: ["/usr/lib/dovecot/lmtp"], debianPackages: ["dovecot-lmtpd"] },
  etcd: { names: ["etcd"], debianPackages: ["etcd-server"], setting: "ETCD" },
  faketime: { names: ["faketime"], debianPackages: ["faketime"] },
  firefox: {
    names: ["firefox-esr", "firefox"],
    debianPackages: ["firefox-esr"],
    setting: "FIREFOX",
  },
  gcc: { names: ["gcc"], debianPackages: ["gcc", "libc6-dev"] },
  haproxy: {
    names: ["haproxy", "/usr/sbin/haproxy"],
    debianPackages: ["haproxy"],
    setting: "HAPROXY",
  },
  headlessChromium: {
    names: ["chromium-headless-shell", ...CHROMIUM_NAMES],
    debianPackages: ["chromium-headless-shell"],
    setting: "CHROMIUM",
  },
  nginx: { names: ["nginx", "/usr/sbin/nginx"], debianPackages: ["nginx"], setting: "NGINX" },
  openssl: { names: ["openssl"], debianPackages: ["openssl"] },
  patroni: { names: ["patroni"], debianPackages: ["patroni"], setting: "PATRONI" },
  pdftoppm: { names: ["pdftoppm"], debianPackages: ["poppler-utils"], setting: "PDFTOPPM" },
  pdftotext: { names: ["pdftotext"], debianPackages: ["poppler-utils"], setting: "PDFTOTEXT" },
  pgbouncer: {
    names: ["pgbouncer", "/usr/sbin/pgbouncer"],
    debianPackages: ["pgbouncer"],
    setting: "PGBOUNCER",
  },
  postgres: {
    names: [15, 16, 17, 18].map((version) => `/usr/lib/postgresql/${version}/bin/postgres`),
    debianPackages: ["postgresql"],
    setting: "POSTGRES",
  },
  qemu: { names: ["qemu-aarch64-static"], debianPackages: ["qemu-user-static"] },
  swaks: { names: ["swaks"], debianPackages: ["swaks"] },
  systemd: { names: ["/lib/systemd/systemd"], debianPackages: ["systemd"] },
} satisfies Record<string, SystemProgram>;

/** Path of a program. Throws with a sentence where it is missing. */
export function findProgram(program: SystemProgram): string {
  const path = pathOf(program);
  if (path === null) throw new Error(missingProgram(program)!);
  return path;
}

/** Sentence for the reader when a program is missing; null when it is there. */
export function missingProgram(program: SystemProgram): string | null {
  if (pathOf(program) !== null) return null;
  const { names, debianPackages, setting } = program;
  const orSetting = setting === undefined ? "" : `, or set ${setting} to its path`;
  return `These tests need ${names.join(" or ")}: install ${debianPackages.join(" ")} (bun run test:install, as root on Debian)${orSetting}.`;
}

/**
 * `describe`, `test` and the hooks of bun:test, or ones that skip everything when something is missing on this machine:
 * each sentence is printed once. Throws the first when the environment variable CI is set.
 */
export function testsUnlessMissing(
  ...reasons: readonly (string | null)[]
): Pick<typeof bunTest, (typeof USED)[number]> {
  const missing = reasons.filter((reason) => reason !== null);
  const [first] = missing;
  if (first === undefined) return bunTest;
  if (process.env["CI"]) throw new Error(first);
  for (const sentence of missing) {
    if (!printed.has(sentence)) console.warn(`SKIPPED: ${sentence}`);
    printed.add(sentence);
  }
  const noHook = () => {};
  return {
    describe: bunTest.describe.skipIf(true),
    test: bunTest.test.skipIf(true),
    beforeAll: noHook,
    beforeEach: noHook,
    afterEach: noHook,
    afterAll: noHook,
  };
}

const USED = ["describe", "test", "beforeAll", "beforeEach", "afterEach", "afterAll"] as const;
const printed = new Set<string>();

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function pathOf({ setting, names }: SystemProgram): string | null {
  const set = setting === undefined ? undefined : process.env[setting];
  return set || (names.map((name) => Bun.which(name)).find((path) => path !== null) ?? null);
}

/** Sentence for the reader when the clock of a process cannot be pushed on this machine; null when it can. */
export const missingPushedClock = missingProgram(PROGRAMS.faketime);

/** Environment of a process whose clock is ahead of the machine's. Its waits take as long as they always do. */
export function pushedClock(aheadMs: number): Record<string, string> {
  const library = Bun.spawnSync(["faketime", "-f", "+0", "printenv", "LD_PRELOAD"]).stdout;
  return {
    LD_PRELOAD: library.toString().trim(),
    FAKETIME: `+${Math.floor(aheadMs / 1_000)}`,
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };
}

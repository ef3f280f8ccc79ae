import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import type { BunPlugin } from "bun";
import { version } from "../package.json" with { type: "json" };
import { billOfMaterials } from "./bill-of-materials.ts";

// `bun run build` compiles the program for this machine into dist/, `bun run build:all` makes a whole release there.
// Settings of the build, in the environment:
//   RELEASES_URL        address under which the files of the newest release will lie
//   RELEASE_PUBLIC_KEY  key that the program checks releases with (`bun deploy/signature.ts` makes a pair)
// `sh deploy/sign.sh` signs such a release.

const ROOT = join(import.meta.dir, "..");

/** Bun's names of the targets, and the names of their files. */
export const TARGETS = {
  "linux-x64": "pet-alert-linux-x64",
  "linux-arm64": "pet-alert-linux-arm64",
  "linux-x64-musl": "pet-alert-linux-x64-musl",
  "linux-arm64-musl": "pet-alert-linux-arm64-musl",
  "darwin-x64": "pet-alert-darwin-x64",
  "darwin-arm64": "pet-alert-darwin-arm64",
  "windows-x64": "pet-alert-windows-x64.exe",
} as const;
export type Target = keyof typeof TARGETS;

/** Place of the releases that a program looks for, and the key that signs them. */
export type Releases = { readonly url: string; readonly publicKey: string };

/**
 * Compiles the program and its embedded files into one executable. Bun downloads its runtime for other targets. Throws
 * the bundler's errors.
 */
export async function build(
  file: string,
  target: Target | "this machine",
  {
    releases = null,
    plugins = [],
  }: { readonly releases?: Releases | null; readonly plugins?: BunPlugin[] } = {},
): Promise<void> {
  // A running executable cannot be overwritten, and an incomplete one should not run.
  const apart = `${file}.building`;
  const { success, logs } = await Bun.build({
    // Workers are separate entry points, found by their names.
    entrypoints: [
      "src/main.ts",
      "db/sqlite/backups/copy.worker.ts",
      "src/backups/remote-copy.worker.ts",
      "src/photos/preview.worker.ts",
    ].map((name) => join(ROOT, name)),
    root: ROOT,
    naming: "[name].[ext]",
    minify: true,
    // Cuts the start-up time by a third.
    bytecode: true,
    format: "esm",
    // Stack traces in the log name the lines of the sources.
    sourcemap: "inline",
    plugins,
    define: {
      RELEASES_URL: JSON.stringify(releases?.url ?? ""),
      RELEASE_PUBLIC_KEY: JSON.stringify(releases?.publicKey ?? ""),
      RELEASE_FILE: JSON.stringify(TARGETS[target === "this machine" ? thisMachine() : target]),
    },
    compile: {
      ...(target === "this machine" ? {} : { target: `bun-${target}` }),
      outfile: join(apart, basename(file)),
      // Settings come from the environment only, not from files in the current folder.
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
  });
  if (!success) throw new AggregateError(logs, "The program could not be compiled.");
  renameSync(join(apart, basename(file)), file);
  rmSync(apart, { recursive: true });
}

/** Target of the files that run here. */
export function thisMachine(): Target {
  const system = { linux: "linux", darwin: "darwin", win32: "windows" }[
    process.platform as "linux"
  ];
  const isMusl =
    process.platform === "linux" &&
    readdirSync("/lib").some((name) => name.startsWith("ld-musl-")) &&
    !readdirSync("/lib").some((name) => name.endsWith("-linux-gnu"));
  const target = `${system}-${process.arch}${isMusl ? "-musl" : ""}`;
  if (target in TARGETS) return target as Target;
  throw new Error(`There is no file for ${target}.`);
}

/** Reads where releases will lie from the environment; null if they lie nowhere. Throws if half of it is missing. */
function releasesOf(env: Readonly<Record<string, string | undefined>>): Releases | null {
  const [url = "", publicKey = ""] = [env["RELEASES_URL"], env["RELEASE_PUBLIC_KEY"]];
  if (url === "" && publicKey === "") return null;
  if (url === "" || publicKey === "")
    throw new Error("RELEASES_URL and RELEASE_PUBLIC_KEY go together: set both, or neither.");
  return { url, publicKey };
}

/**
 * Adds to the programs in a folder what else a release has: its version, the installer, the bill of materials, and the
 * checksums of all files. Their signature comes from deploy/sign.sh.
 */
export async function writeRelease(
  folder: string,
  {
    releases,
    versionOfRelease = version,
  }: {
    readonly releases: Releases | null;
    readonly versionOfRelease?: string;
  },
): Promise<void> {
  await Bun.write(join(folder, "VERSION"), `${versionOfRelease}\n`);
  await Bun.write(join(folder, "pet-alert.cdx.json"), await billOfMaterials(versionOfRelease));
  if (releases !== null) await writeInstaller(join(folder, "install.sh"), releases);
  for (const name of ["SHA256SUMS", "SHA256SUMS.sig"]) rmSync(join(folder, name), { force: true });
  const lines: string[] = [];
  for (const name of readdirSync(folder).toSorted()) {
    const hash = new Bun.CryptoHasher("sha256");
    for await (const piece of Bun.file(join(folder, name)).stream()) hash.update(piece);
    lines.push(`${hash.digest("hex")}  ${name}\n`);
  }
  await Bun.write(join(folder, "SHA256SUMS"), lines.join(""));
}

async function writeInstaller(file: string, { url, publicKey }: Releases): Promise<void> {
  if (/[^\w:/.@~+%=,-]/.test(`${url}${publicKey}`))
    throw new Error("RELEASES_URL and RELEASE_PUBLIC_KEY may not hold quotes or spaces.");
  const script = await Bun.file(join(ROOT, "deploy/install.sh")).text();
  const filled = script.replace("@RELEASES_URL@", url).replace("@RELEASE_PUBLIC_KEY@", publicKey);
  await Bun.write(file, filled);
  chmodSync(file, 0o755);
}

if (import.meta.main) {
  const { env } = process;
  const dist = join(ROOT, "dist");
  mkdirSync(dist, { recursive: true });
  const releases = releasesOf(env);
  const only = process.argv[process.argv.indexOf("--target") + 1];
  if (process.argv.includes("--all")) {
    rmSync(dist, { recursive: true });
    mkdirSync(dist);
    for (const [target, name] of Object.entries(TARGETS)) await make(name, target as Target);
    await writeRelease(dist, { releases });
  } else if (process.argv.includes("--target")) {
    if (only === undefined || !(only in TARGETS))
      throw new Error(`--target is one of ${Object.keys(TARGETS).join(", ")}.`);
    await make("pet-alert", only as Target);
  } else {
    await make("pet-alert", "this machine");
  }

  async function make(name: string, target: Target | "this machine"): Promise<void> {
    const file = join(dist, name);
    const start = performance.now();
    await build(file, target, { releases });
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const megabytes = (Bun.file(file).size / 1_000_000).toFixed(0);
    console.log(`dist/${name}  version ${version}, ${megabytes} MB, ${seconds} s`);
  }
}

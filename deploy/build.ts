import { mkdirSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { version } from "../package.json" with { type: "json" };

// `bun run build` compiles the program for this machine into dist/, `bun run build:all` for all targets.

const ROOT = join(import.meta.dir, "..");

/** Bun's names of the targets, and the names of their files. */
const TARGETS = {
  "linux-x64": "pet-alert-linux-x64",
  "linux-arm64": "pet-alert-linux-arm64",
  "darwin-arm64": "pet-alert-darwin-arm64",
  "windows-x64": "pet-alert-windows-x64.exe",
} as const;
export type Target = keyof typeof TARGETS;

/**
 * Compiles the program and its embedded files into one executable. Bun downloads its runtime for other targets. Throws
 * the bundler's errors.
 */
export async function build(file: string, target: Target | "this machine"): Promise<void> {
  // A running executable cannot be overwritten, and an incomplete one should not run.
  const apart = `${file}.building`;
  const { success, logs } = await Bun.build({
    // Workers are separate entry points, found by their names.
    entrypoints: ["src/main.ts", "db/sqlite/copy.worker.ts", "src/photos/preview.worker.ts"].map(
      (name) => join(ROOT, name),
    ),
    root: ROOT,
    naming: "[name].[ext]",
    minify: true,
    // Cuts the start-up time by a third.
    bytecode: true,
    format: "esm",
    // Stack traces in the log name the lines of the sources.
    sourcemap: "inline",
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

if (import.meta.main) {
  const dist = join(ROOT, "dist");
  mkdirSync(dist, { recursive: true });
  if (process.argv.includes("--all")) {
    for (const [target, name] of Object.entries(TARGETS)) await make(name, target as Target);
    await writeSums(dist);
  } else {
    await make("pet-alert", "this machine");
  }

  async function make(name: string, target: Target | "this machine"): Promise<void> {
    const file = join(dist, name);
    const start = performance.now();
    await build(file, target);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const megabytes = (Bun.file(file).size / 1_000_000).toFixed(0);
    console.log(`dist/${name}  version ${version}, ${megabytes} MB, ${seconds} s`);
  }
}

/** For `sha256sum --check SHA256SUMS`. */
async function writeSums(dist: string): Promise<void> {
  const lines: string[] = [];
  for (const name of Object.values(TARGETS)) {
    const hash = new Bun.CryptoHasher("sha256").update(await Bun.file(join(dist, name)).bytes());
    lines.push(`${hash.digest("hex")}  ${name}\n`);
  }
  await Bun.write(join(dist, "SHA256SUMS"), lines.join(""));
}

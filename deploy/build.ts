import { mkdirSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { version } from "../package.json" with { type: "json" };

// `bun run build` makes the one file for this machine, `bun run build:all` one for each machine there is, in dist/.

const ROOT = join(import.meta.dir, "..");

/** The machines there is a file for: what Bun calls them, and what the file is called. */
const TARGETS = {
  "linux-x64": "pet-alert-linux-x64",
  "linux-arm64": "pet-alert-linux-arm64",
  "darwin-arm64": "pet-alert-darwin-arm64",
  "windows-x64": "pet-alert-windows-x64.exe",
} as const;
export type Target = keyof typeof TARGETS;

/**
 * Compiles the program, with everything it reads from its own files inside, into one executable file. Bun fetches what
 * it needs for other machines than this one. Throws what the bundler says.
 */
export async function build(file: string, target: Target | "this machine"): Promise<void> {
  // Apart first: a program that runs cannot be written over, and half of one should not run.
  const apart = `${file}.building`;
  const { success, logs } = await Bun.build({
    // A thread's program is an entry of its own, found by its name beside the first.
    entrypoints: ["src/main.ts", "db/sqlite/copy.worker.ts"].map((name) => join(ROOT, name)),
    root: ROOT,
    naming: "[name].[ext]",
    minify: true,
    // Starts in two thirds of the time.
    bytecode: true,
    format: "esm",
    // What a bug leaves in the log names the lines of the sources.
    sourcemap: "inline",
    compile: {
      ...(target === "this machine" ? {} : { target: `bun-${target}` }),
      outfile: join(apart, basename(file)),
      // The program's settings are its environment, whatever lies in the folder it is started in.
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

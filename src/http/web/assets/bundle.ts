const SCRIPTS = ["map", "near-me", "page", "photos", "town"] as const;
const STYLES = ["map", "photos"] as const;

/** Scripts a page may load; the comment at the top of each file in `scripts/` lists the attributes it uses. */
export type ScriptName = (typeof SCRIPTS)[number];

/** Minified scripts, and the style sheets some of them need. */
export type Bundles = {
  readonly scripts: Readonly<Record<ScriptName, string>>;
  readonly styles: Readonly<Partial<Record<ScriptName, string>>>;
};

/**
 * Bundles the scripts of the pages. Made to be called as a macro (`with { type: "macro" }`): their texts then lie in
 * the program itself, whether it runs from its sources, under the tests or compiled. Bun does not bundle while it is
 * bundling, so a process of its own does the work, in about 30 ms. Throws when a script is broken, after the bundler has
 * said why.
 */
export function bundle(): Bundles {
  const { success, stdout } = Bun.spawnSync([Bun.argv[0]!, import.meta.path], {
    stderr: "inherit",
  });
  if (!success) throw new Error("The scripts of the pages could not be bundled.");
  return JSON.parse(stdout.toString());
}

async function bundleAll(): Promise<Record<keyof Bundles, Record<string, string>>> {
  const room = `${import.meta.dir}/../scripts`;
  const { outputs } = await Bun.build({
    entrypoints: [
      ...SCRIPTS.map((name) => `${room}/${name}.ts`),
      ...STYLES.map((name) => `${room}/${name}.css`),
    ],
    target: "browser",
    format: "iife",
    minify: true,
  });
  const scripts: Record<string, string> = {};
  const styles: Record<string, string> = {};
  for (const output of outputs) {
    const [, name, ending] = /([\w-]+)\.(js|css)$/.exec(output.path)!;
    (ending === "css" ? styles : scripts)[name!] = await output.text();
  }
  return { scripts, styles };
}

if (import.meta.main) console.log(JSON.stringify(await bundleAll()));

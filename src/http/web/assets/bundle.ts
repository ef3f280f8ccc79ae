import { filesNamed } from "../../../messages/files.ts";

const SCRIPTS = ["device", "draft", "map", "page", "photos", "search", "steps", "town"] as const;
const STYLES = ["map", "photos"] as const;
/** View of the tool server in a chat, and the service worker, which no page loads. */
const CARDS = "cards";
const WORKER = "worker";

/** Scripts a page may load; the comment at the top of each file in `scripts/` lists the attributes it uses. */
export type ScriptName = (typeof SCRIPTS)[number];

/** Minified scripts, and the style sheets some of them need. */
export type Bundles = {
  readonly scripts: Readonly<Record<ScriptName, string>>;
  readonly styles: Readonly<Partial<Record<ScriptName, string>>>;
  readonly cards: { readonly script: string; readonly style: string };
  readonly worker: string;
};

/**
 * Bundles the scripts of the pages. Called as a macro (`with { type: "macro" }`), so that the bundles are part of the
 * program whether it runs from its sources, in tests or compiled. Bun cannot bundle while it is bundling, so a separate
 * process does it, in about 30 ms. Throws if a script is broken, after the bundler has printed the reason.
 */
export function bundle(): Bundles {
  const { success, stdout } = Bun.spawnSync([Bun.argv[0]!, import.meta.path], {
    stderr: "inherit",
  });
  if (!success) throw new Error("The scripts of the pages could not be bundled.");
  return JSON.parse(stdout.toString());
}

async function bundleAll(): Promise<Record<keyof Bundles, object | string>> {
  const folder = `${import.meta.dir}/../scripts`;
  const cardTexts = Object.entries(filesNamed("cards")).map(([code, text]) => `"${code}":${text}`);
  const { outputs } = await Bun.build({
    entrypoints: [
      ...[...SCRIPTS, CARDS, WORKER].map((name) => `${folder}/${name}.ts`),
      ...[...STYLES, CARDS].map((name) => `${folder}/${name}.css`),
    ],
    target: "browser",
    format: "iife",
    minify: true,
    define: { CARD_TEXTS: `{${cardTexts.join(",")}}` },
  });
  const scripts: Record<string, string> = {};
  const styles: Record<string, string> = {};
  for (const output of outputs) {
    const [, name, ending] = /([\w-]+)\.(js|css)$/.exec(output.path)!;
    (ending === "css" ? styles : scripts)[name!] = await output.text();
  }
  const { [CARDS]: script, [WORKER]: worker, ...ofPages } = scripts;
  const { [CARDS]: style, ...stylesOfPages } = styles;
  return { scripts: ofPages, styles: stylesOfPages, cards: { script, style }, worker: worker! };
}

if (import.meta.main) console.log(JSON.stringify(await bundleAll()));

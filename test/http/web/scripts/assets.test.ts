import { describe, expect, test } from "bun:test";
import {
  createAssets,
  type ScriptName,
  scriptAddress,
  scriptStyleAddress,
  STYLE_ADDRESS,
  CARDS_DOCUMENT,
  EMBED_STYLE_ADDRESS,
  KEPT_ADDRESSES,
  WORKER_SOURCE,
} from "../../../../src/http/web/assets/assets.ts";
import { NO_THEME } from "../../../../src/http/web/assets/theme.ts";
import packageJson from "../../../../package.json" with { type: "json" };
import { missingInScript, missingInStyle } from "../../../support/browser-support.ts";
import { createWorld } from "../../../support/world.ts";

const assets = createAssets(NO_THEME);
const NAMES: readonly ScriptName[] = ["map", "search", "page", "photos", "town"];
const STYLES = NAMES.flatMap((name) => scriptStyleAddress(name) ?? []);
const ADDRESSES = [STYLE_ADDRESS, ...NAMES.map(scriptAddress), ...STYLES];

async function text(address: string): Promise<string> {
  return (await assets.request(address)).text();
}

describe("the files of the pages", () => {
  test.each(ADDRESSES)(
    "%s can be kept for ever under the address that holds its hash",
    async (at) => {
      const answer = await assets.request(at);

      expect(answer.status).toBe(200);
      expect(answer.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
      expect(answer.headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(answer.headers.get("Content-Type")).toBe(
        at.includes(".css") ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8",
      );
      expect(at).toEndWith(`?v=${Bun.hash(await answer.text()).toString(36)}`);
    },
  );

  test.each(ADDRESSES)(
    "%s is asked for again where the hash is of another day",
    async (address) => {
      const [path] = address.split("?");

      for (const other of [path!, `${path}?v=yesterday`]) {
        const answer = await assets.request(other);
        expect(answer.status).toBe(200);
        expect(answer.headers.get("Cache-Control")).toBe("no-cache");
      }
    },
  );

  test.each(["br, gzip;q=0.5", "deflate , GZIP"])(
    "travel packed to whoever accepts %p",
    async (encodings) => {
      const answer = await assets.request(scriptAddress("town"), accepting(encodings));

      expect(answer.headers.get("Content-Encoding")).toBe("gzip");
      expect(answer.headers.get("Vary")).toBe("Accept-Encoding");
      const unpacked = new TextDecoder().decode(Bun.gunzipSync(await answer.arrayBuffer()));
      expect(unpacked).toBe(await text(scriptAddress("town")));
    },
  );

  test.each(["br", "gzip ; q=0.000, br", "x-gzipped"])(
    "travel as they are to whoever accepts %p",
    async (encodings) => {
      const answer = await assets.request(scriptAddress("town"), accepting(encodings));

      expect(answer.headers.get("Content-Encoding")).toBeNull();
      expect(answer.headers.get("Vary")).toBe("Accept-Encoding");
    },
  );

  function accepting(encodings: string): RequestInit {
    return { headers: { "Accept-Encoding": encodings } };
  }
});

describe("a script", () => {
  test.each<[ScriptName, number, number]>([
    ["map", 179, 54],
    ["search", 15, 5],
    ["page", 15, 5],
    ["photos", 15, 5],
    ["town", 15, 5],
  ])("is small: %s at most %d KB, packed %d KB", async (name, wholeKb, packedKb) => {
    const script = await text(scriptAddress(name));

    expect(script.length).toBeLessThanOrEqual(wholeKb * 1000);
    expect(Bun.gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(packedKb * 1000);
  });

  test.each([...NAMES])("is whole: %s asks for no other file", async (name) => {
    const script = await text(scriptAddress(name));
    const transpiler = new Bun.Transpiler({ loader: "js" });

    expect(transpiler.scan(script)).toEqual({ imports: [], exports: [] });
  });

  test.each(["leaflet", "supercluster"])("with %s in it holds its licence", async (name) => {
    const licence = await Bun.file(`node_modules/${name}/LICENSE`).text();

    const script = await text(scriptAddress("map"));
    expect(script.includes(licence.replaceAll("\r", "").trim())).toBe(true);
  });
});

test("style sheets load nothing", async () => {
  for (const address of [STYLE_ADDRESS, ...STYLES]) {
    expect(await text(address)).not.toMatch(/url\(|@import/);
  }
});

test("our own scripts make no code and no markup out of text", async () => {
  const unsafe =
    /\beval\b|\bFunction\(|\b(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write|setHTMLUnsafe|javascript:|setAttribute\("(?:on|style)/;
  const sources = await Array.fromAsync(new Bun.Glob("src/http/web/scripts/**/*.ts").scan("."));
  const strays: string[] = [];
  for (const file of sources) {
    const found = unsafe.exec(await Bun.file(file).text());
    if (found) strays.push(`${file}: ${found[0]}`);
  }

  expect(sources.length).toBeGreaterThan(10);
  expect(strays).toEqual([]);
  expect(unsafe.test("element.innerHTML = text")).toBe(true);
});

// The scripts and style sheets that are served, against the oldest browsers that package.json names.

/** Features that a script uses where it has found them, and those that older browsers do without. */
const GUARDED: Readonly<Record<string, readonly string[]>> = {
  search: ["HTMLFormElement.requestSubmit"],
  photos: ["CanvasRenderingContext2D.imageSmoothingQuality", "HTMLFormElement.requestSubmit"],
  // `locale` is a member of our own objects, `capture` an option of addEventListener.
  page: ["CompositionEvent.locale", "HTMLInputElement.capture", "Navigator.share"],
  steps: ["HTMLInputElement.capture"],
  // The button is removed where the browser has no Web Push.
  device: [
    "HTMLFormElement.requestSubmit",
    "Notification",
    "Notification.requestPermission_static",
    "ServiceWorkerRegistration.pushManager",
  ],
  draft: ["CanvasRenderingContext2D.imageSmoothingQuality", "ServiceWorkerRegistration.sync"],
  cards: ["CompositionEvent.locale", "Error.isError"],
  // Leaflet asks for each; `keyboard` is an option of its own.
  map: [
    "HTMLVideoElement.playsInline",
    "Keyboard",
    "Navigator.keyboard",
    "TouchEvent",
    "UIEvent.sourceCapabilities",
  ],
  // Only a push makes it show one.
  worker: ["ServiceWorkerRegistration.showNotification"],
};

/** Rules that browsers may leave out: the page is complete without them, or has others beside them for these browsers. */
const DISPENSABLE = [
  "-webkit-tap-highlight-color",
  "-webkit-user-drag",
  "color-mix",
  "container-type",
  "forced-color-adjust",
  "has",
  "page",
  "print-color-adjust",
  "resize",
  "selection",
  "text-size-adjust",
  "text-wrap",
  "user-select",
];

const featuresOf = (sentences: readonly string[]) =>
  sentences.map((sentence) => sentence.split(": not in ")[0]!);

async function served(addresses: readonly string[]): Promise<[string, string][]> {
  const world = await createWorld({ ACCENT_COLOR: "#0f5e63" });
  const texts = addresses.map(async (address): Promise<[string, string]> => [
    /([\w-]+)\.\w+(?:\?|$)/.exec(address)?.[1] ?? address,
    await world.text(address),
  ]);
  const all = await Promise.all(texts);
  await world.end();
  return all;
}

const SCRIPTS = await served(KEPT_ADDRESSES.filter((address) => address.includes(".js")));
const SERVED_STYLES = await served([
  ...KEPT_ADDRESSES.filter((address) => address.includes(".css")),
  EMBED_STYLE_ADDRESS,
  "/theme.css",
]);
const [, cardsStyle = "", cardsScript = ""] =
  /<style>(.*)<\/style>.*<script type="module">(.*)<\/script>/s.exec(CARDS_DOCUMENT) ?? [];

describe("the oldest supported browsers", () => {
  test.each([...SCRIPTS, ["cards", cardsScript], ["worker", WORKER_SOURCE]])(
    "have all that the script %s uses without looking",
    (name, script) => {
      expect(script.length).toBeGreaterThan(50);
      expect(featuresOf(missingInScript(script)).toSorted()).toEqual([...(GUARDED[name] ?? [])]);
    },
  );

  test("have all that the style sheets cannot do without", () => {
    const missing = [...SERVED_STYLES, ["cards", cardsStyle]].flatMap(([, style = ""]) => {
      expect(style.length).toBeGreaterThan(50);
      return featuresOf(missingInStyle(style));
    });

    expect([...new Set(missing)].toSorted()).toEqual(DISPENSABLE);
  });

  test("are named by docs/operations.md, too", async () => {
    expect(packageJson.browserslist).toEqual([
      "safari >= 15.6",
      "ios_saf >= 15.6",
      "chrome >= 109",
      "and_chr >= 109",
      "firefox >= 115",
      "and_ff >= 115",
    ]);
    expect(await Bun.file("docs/operations.md").text()).toContain(
      "Safari 15.6, Chrome 109 and Firefox 115",
    );
  });
});

test("what one of these browsers lacks is found, and nothing else", () => {
  for (const [feature, script] of [
    ["URL.parse_static", "const { href } = URL.parse(address, scope) ?? {};"],
    ["lookbehind in a regular expression", "/(?<=a)b/.test(text);"],
    [":has()", 'form.querySelector("label:has(:checked)");'],
  ] as const)
    expect(featuresOf(missingInScript(script))).toEqual([feature]);
  expect(() => missingInScript("using file = open();")).toThrow(SyntaxError);
  expect(
    featuresOf(missingInStyle("a:has(b){color:color-mix(in oklab,red,blue)}")).toSorted(),
  ).toEqual(["color-mix", "has"]);
  const known = "[...list].sort().at(-1)?.replaceAll('a', 'b'); class A { #b = 1; }";
  expect(missingInScript(known)).toEqual([]);
  expect(missingInStyle("a:hover,a:is(b,c){inset:0;aspect-ratio:1;color:red}")).toEqual([]);
});

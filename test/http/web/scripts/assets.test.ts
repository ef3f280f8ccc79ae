import { describe, expect, test } from "bun:test";
import {
  createAssets,
  type ScriptName,
  scriptAddress,
  scriptStyleAddress,
  STYLE_ADDRESS,
} from "../../../../src/http/web/assets/assets.ts";
import { NO_THEME } from "../../../../src/http/web/assets/theme.ts";

const assets = createAssets(NO_THEME);
const NAMES: readonly ScriptName[] = ["map", "near-me", "page", "photos", "town"];
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

  test.each(["gzip", "br, gzip;q=0.5", "deflate , GZIP", "gzip;q=0.01"])(
    "travel packed to whoever accepts %p",
    async (encodings) => {
      const answer = await assets.request(scriptAddress("town"), accepting(encodings));

      expect(answer.headers.get("Content-Encoding")).toBe("gzip");
      expect(answer.headers.get("Vary")).toBe("Accept-Encoding");
      const unpacked = new TextDecoder().decode(Bun.gunzipSync(await answer.arrayBuffer()));
      expect(unpacked).toBe(await text(scriptAddress("town")));
    },
  );

  test.each(["", "identity", "br", "gzip;q=0", "gzip ; q=0.000, br", "x-gzipped"])(
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
    ["near-me", 15, 5],
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

  test("looks for what the head of its source says", async () => {
    const marks = { map: "data-map", "near-me": "data-near-me", photos: "data-photos" };

    for (const [name, mark] of Object.entries(marks)) {
      expect(await text(scriptAddress(name as ScriptName))).toContain(`[${mark}]`);
    }
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

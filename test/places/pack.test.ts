import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { countryCodeAt, FORMAT, nameAt, viewPlaces } from "../../src/places/format.ts";
import { installedSource, packPlaces, type PlaceSource } from "../../src/places/pack.ts";

const ROOM = join(import.meta.dir, "../../src/places");
const PACKED = join(ROOM, "places.bin");

/** Packing takes seconds, and many more on a small machine. */
const PATIENCE_MS = 120_000;

describe("packing", () => {
  let folder: string;
  let serial = 0;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "gazetteer-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Distinguishes a file from one written later. */
  const stamp = (path: string) => {
    const { ino, mtimeNs, size } = statSync(path, { bigint: true });
    return { ino, mtimeNs, size };
  };
  const newPath = () => join(folder, `places-${serial++}.bin`);
  const town = {
    id: 1,
    name: "Ys",
    countryCode: "FR",
    region: "53",
    municipality: "",
    district: "",
    featureCode: "PPL",
    population: 1234,
    lat: 4_810_000,
    lng: -440_000,
  };
  const sourceNamed = (name: string): PlaceSource => ({ name, read: async () => [town] });

  test("twice changes nothing", async () => {
    const to = newPath();

    const first = await packPlaces(to, sourceNamed("towns@1"));
    const before = stamp(to);
    const second = await packPlaces(to, {
      name: "towns@1",
      read: () => Promise.reject(new Error("read again")),
    });

    expect([first, second]).toEqual(["packed", "kept"]);
    expect(stamp(to)).toEqual(before);
  });

  test(
    "produces the same bytes for the same towns",
    async () => {
      const to = newPath();

      await packPlaces(to, await installedSource());

      expect(Bun.hash(await Bun.file(to).bytes())).toBe(Bun.hash(await Bun.file(PACKED).bytes()));
    },
    PATIENCE_MS,
  );

  test("keeps the GeoNames data of a town", async () => {
    const to = newPath();
    await packPlaces(to, sourceNamed("towns@1"));

    const packed = viewPlaces(await Bun.file(to).arrayBuffer());

    expect(packed.source).toBe("towns@1");
    expect(nameAt(packed, 0)).toBe("Ys");
    expect(countryCodeAt(packed, 0)).toBe("FR");
    expect([packed.lat[0], packed.lng[0]]).toEqual([4_810_000, -440_000]);
    expect(packed.population[0]).toBe(1234);
  });

  test("packs again if the package has another version, or the file another format or none; needs no package otherwise", async () => {
    const to = newPath();
    await packPlaces(to, sourceNamed("towns@1"));
    const bytes = await Bun.file(to).bytes();
    new DataView(bytes.buffer).setUint32(8, FORMAT + 1, true);
    await Bun.write(to, bytes);

    expect(await packPlaces(to, sourceNamed("towns@1"))).toBe("packed");
    await Bun.write(to, "no places");
    expect(await packPlaces(to, sourceNamed("towns@1"))).toBe("packed");
    expect(await packPlaces(to, sourceNamed("towns@2"))).toBe("packed");
    expect(viewPlaces(await Bun.file(to).arrayBuffer()).source).toBe("towns@2");
    expect(await packPlaces(to, null)).toBe("kept");
  });

  test("ends with one sentence if there is neither file nor package", async () => {
    const elsewhere = join(folder, "elsewhere");
    for (const needed of ["values/point.ts", "text/tokenize.ts"]) {
      cpSync(join(ROOM, "..", needed), join(elsewhere, "src", needed));
    }
    cpSync(ROOM, join(elsewhere, "src/places"), {
      recursive: true,
      filter: (path) => !path.endsWith(".bin"),
    });

    const script = Bun.spawn([process.execPath, "--no-install", "src/places/pack.ts"], {
      cwd: elsewhere,
      stdout: "pipe",
      stderr: "pipe",
    });

    expect(await script.exited).toBe(1);
    expect((await script.stderr.text()).trim()).toMatch(/^The gazetteer has no [^\n]+\.$/);
    expect(await script.stdout.text()).toBe("");
  });
});

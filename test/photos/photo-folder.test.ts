import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPhotoFolder } from "../../src/photos/photo-folder.ts";
import { jpeg, photoColors } from "../support/picture.ts";

const NOW = Date.UTC(2026, 10, 21, 7, 30);
const DAY_MS = 86_400_000;
/** Network of whom hands the photos in. */
const HOME = "198.51.100";

let parent: string;
let folder: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "pet-alert-photos-"));
  folder = join(parent, "photos");
});
afterEach(() => rm(parent, { recursive: true, force: true }));

/** An album whose clock can be pushed. */
async function openedAlbum() {
  let now = NOW;
  const album = await openPhotoFolder({
    folder,
    clock: () => now,
    freeBytes: async () => Infinity,
  });
  return Object.assign(album, {
    push(ms: number) {
      now += ms;
    },
  });
}

const cat = new Blob([await jpeg({ width: 800, height: 600 })]);
const dog = new Blob([await jpeg({ width: 600, height: 800 })]);

describe("a picture that is kept", () => {
  test("can be read in both sizes under a name of 32 hex digits made from what it shows", async () => {
    const album = await openedAlbum();

    const name = await album.keep(cat, HOME);

    const full = (await album.read(name, "full")) ?? new Uint8Array();
    const thumb = (await album.read(name, "thumb")) ?? new Uint8Array();
    expect(await photoColors(full)).toMatchObject({ width: 800, height: 600 });
    expect(await photoColors(thumb)).toMatchObject({ width: 480, height: 360 });
    expect(name).toBe(new Bun.CryptoHasher("sha256").update(full).digest("hex").slice(0, 32));
    expect(await album.has(name)).toBe(true);
  });

  test("lies in two files that nobody else on the machine may read", async () => {
    const album = await openedAlbum();

    const name = await album.keep(cat, HOME);

    expect(await filesThere()).toEqual([`${name}-480.webp`, `${name}.webp`]);
    for (const file of await readdir(folder)) expect(await modeOf(join(folder, file))).toBe(0o600);
    expect(await modeOf(folder)).toBe(0o700);
  });

  test("keeps its name when it is kept again, and counts as kept now", async () => {
    const album = await openedAlbum();
    const name = await album.keep(cat, HOME);

    album.push(DAY_MS);
    const again = await album.keep(cat, HOME);

    expect(again).toBe(name);
    expect(await album.names(null, 10)).toEqual([{ name, keptAt: NOW + DAY_MS }]);
  });

  test("is whole when it is kept many times at once", async () => {
    const album = await openedAlbum();

    const names = await Promise.all(
      Array.from({ length: 8 }, (_, at) => album.keep(cat, `network ${at}`)),
    );

    const [name = ""] = names;
    expect(new Set(names).size).toBe(1);
    expect(await filesThere()).toEqual([`${name}-480.webp`, `${name}.webp`]);
    expect(await photoColors((await album.read(name, "full")) ?? new Uint8Array())).toMatchObject({
      width: 800,
    });
  });

  test("is gone in both sizes once it is dropped, and dropping it again is as good", async () => {
    const album = await openedAlbum();
    const [name, other] = [await album.keep(cat, HOME), await album.keep(dog, HOME)];

    await album.drop(name);
    await album.drop(name);

    expect(await album.has(name)).toBe(false);
    expect(await album.read(name, "full")).toBeNull();
    expect(await album.read(name, "thumb")).toBeNull();
    expect(await filesThere()).toEqual([`${other}-480.webp`, `${other}.webp`]);
  });
});

describe("a name that is no name of ours", () => {
  test.each([
    [""],
    ["0123456789abcdef0123456789abcdef"],
    ["../secret"],
    ["/etc/passwd"],
    ["secret\0"],
    ["0123456789abcdef0123456789abcdef\n"],
    ["__proto__"],
  ])("is not there: %j", async (name) => {
    const album = await openedAlbum();
    const outside = ["secret", "secret.webp", "secret-480.webp"].map((file) => join(parent, file));
    for (const file of outside) await writeFile(file, "secret");

    expect(await album.read(name, "full")).toBeNull();
    expect(await album.read(name, "thumb")).toBeNull();
    expect(await album.has(name)).toBe(false);
    await album.drop(name);

    expect(outside.map((file) => existsSync(file))).toEqual([true, true, true]);
  });
});

describe("the names kept", () => {
  test("come in order, page by page, each once", async () => {
    const album = await openedAlbum();
    const names: string[] = [];
    for (const width of [10, 20, 30, 40, 50]) {
      names.push(await album.keep(new Blob([await jpeg({ width, height: 10 })]), HOME));
    }

    const first = await album.names(null, 2);
    const second = await album.names(first.at(-1)?.name ?? null, 2);
    const third = await album.names(second.at(-1)?.name ?? null, 2);
    const fourth = await album.names(third.at(-1)?.name ?? null, 2);

    expect([first.length, second.length, third.length, fourth.length]).toEqual([2, 2, 1, 0]);
    expect([...first, ...second, ...third].map(({ name }) => name)).toEqual(names.sort());
  });

  test("hold those of which a crash left the thumbnail alone, so that they can be dropped", async () => {
    const album = await openedAlbum();
    const name = await album.keep(cat, HOME);
    await rm(join(folder, `${name}.webp`));

    expect(await album.names(null, 10)).toEqual([{ name, keptAt: NOW }]);
    expect(await album.has(name)).toBe(false);
    await album.drop(name);
    expect(await filesThere()).toEqual([]);
  });
});

describe("an album that is opened", () => {
  test("clears what a crash left half written, and nothing else", async () => {
    const name = await (await openedAlbum()).keep(cat, HOME);
    await writeFile(join(folder, "7.part"), "half a pict");

    await openedAlbum();

    expect(await filesThere()).toEqual([`${name}-480.webp`, `${name}.webp`]);
  });
});

test("a picture that is refused leaves nothing behind", async () => {
  const album = await openedAlbum();

  const kept = album.keep(cat.slice(0, 100), HOME);

  await expect(kept).rejects.toMatchObject({ name: "Fault", code: "bad_input" });
  expect(await filesThere()).toEqual([]);
});

// Linux's /dev/full refuses every write as a full disk does.
test.skipIf(!existsSync("/dev/full"))(
  "a full disk is told in words and leaves nothing half written; afterwards all is well",
  async () => {
    const album = await openedAlbum();
    await symlink("/dev/full", join(folder, "1.part"));

    const kept = album.keep(cat, HOME);

    await expect(kept).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 60 });
    expect(await filesThere()).toEqual([]);
    expect(await album.has(await album.keep(cat, HOME))).toBe(true);
  },
);

async function filesThere(): Promise<string[]> {
  return (await readdir(folder)).sort();
}

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Fault } from "../../src/core/fault.ts";
import { createFormReader } from "../../src/photos/uploaded-form.ts";
import { openSmallDisk, openUploads } from "../support/disk.ts";
import { testsUnlessMissing } from "../support/system-programs.ts";
import type { FormEntry, UploadedFile } from "../../src/core/photos/photo-files.ts";

const rootTests = testsUnlessMissing(
  process.platform === "linux" && process.getuid?.() === 0
    ? null
    : "This test mounts a small disk, which needs root on Linux.",
);

const MIB = 1024 * 1024;
const TYPE = "multipart/form-data; boundary=x";

const random = { id: () => crypto.randomUUID() };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pet-alert-forms-"));
});
afterEach(() => {
  expect({ left: readdirSync(folder), open: openUploads().count }).toEqual({ left: [], open: 0 });
  rmSync(folder, { recursive: true, force: true });
});

type Disk = Parameters<typeof createFormReader>[0];

/** Reads a form that comes in pieces of this size; gives its entries, or the reason why it is refused. */
async function read(
  body: Uint8Array,
  pieceBytes = 64 * 1024,
  disk: Partial<Disk> = {},
  type = TYPE,
) {
  async function* pieces() {
    for (let at = 0; at < body.length; at += pieceBytes) yield body.subarray(at, at + pieceBytes);
  }
  const readForm = createFormReader({ folder, freeBytes: async () => 1e12, random, ...disk });
  const form = await readForm(pieces(), type);
  try {
    if (form.entries instanceof Fault) return form.entries.why?.reason;
    return await Promise.all(
      form.entries.map(async ([field, value]: FormEntry) =>
        typeof value === "string" ? [field, value] : [field, value.name, await contentOf(value)],
      ),
    );
  } finally {
    await form.close();
  }
}

/** Content of a file, or the code and reason of the fault that kept it from being stored. */
async function contentOf(file: UploadedFile) {
  try {
    return Buffer.from(await file.bytes()).toString("latin1");
  } catch (error) {
    if (error instanceof Fault) return `${error.code} ${error.why?.reason}`;
    throw error;
  }
}

type Part =
  readonly [field: string, value: string] | readonly [string, string, Uint8Array | string];

function multipart(parts: readonly Part[], end = "--x--\r\n"): Buffer {
  const written = parts.flatMap(([field, value, content]) => {
    const name = content === undefined ? "" : `; filename="${value}"`;
    return [
      Buffer.from(`--x\r\nContent-Disposition: form-data; name="${field}"${name}\r\n\r\n`),
      Buffer.from(content ?? value),
      Buffer.from("\r\n"),
    ];
  });
  return Buffer.concat([...written, Buffer.from(end)]);
}

const PARTS: readonly Part[] = [
  ["name", "Mimi"],
  ["photos", "a.jpg", "first \r\n--y photo"],
  ["photos", "b.jpg", ""],
  ["color", "grey\r\n--xx\r\ntabby"],
  ["photos", "c.jpg", "third"],
];
const ENTRIES = [
  ["name", "Mimi"],
  ["photos", "a.jpg", "first \r\n--y photo"],
  ["photos", "b.jpg", ""],
  ["color", "grey\r\n--xx\r\ntabby"],
  ["photos", "c.jpg", "third"],
];

describe("a form", () => {
  test.each([1, 7, 100_000])("is the same in pieces of %i bytes", async (pieceBytes) => {
    const body = multipart(PARTS.with(3, ["color", "grey"]));

    expect(await read(body, pieceBytes)).toEqual(ENTRIES.with(3, ["color", "grey"]));
  });

  test("keeps names, texts and file names of every alphabet", async () => {
    const parts: Part[] = [
      ["name", "Мурка 小花 ميمي 🐈 Ñandú"],
      ["имя", "e\u0301 and é"],
      ["photos", "Фото 写真.jpg", "x"],
    ];

    expect<unknown>(await read(multipart(parts), 1)).toEqual(parts);
  });

  test("holds photos of several megabytes, byte by byte", async () => {
    const photo = crypto.getRandomValues(Buffer.alloc(65_536)).toString("latin1").repeat(48);
    const form = await read(
      multipart([
        ["photos", "a", Buffer.from(photo, "latin1")],
        ["a", "b"],
      ]),
    );

    expect(form).toEqual([
      ["photos", "a", photo],
      ["a", "b"],
    ]);
  });
});

describe("a form that is", () => {
  const photo = ["photos", "a.jpg", "x".repeat(100_000)] as const;
  test.each([
    ["cut off in a text", multipart([["a", "b"]], "").subarray(0, -3)],
    ["cut off in a photo", multipart([photo], "").subarray(0, -3)],
    ["without an end", multipart([["a", "b"], photo], "")],
    ["empty", Buffer.alloc(0)],
    ["of 1,000 parts", multipart(Array.from({ length: 1_000 }, () => ["a", "b"] as const))],
    [
      "separated by another boundary",
      Buffer.from(multipart(PARTS).toString().replaceAll("--x", "--z")),
    ],
  ])("%s is broken", async (_, body) => {
    for (const pieceBytes of [64, 64 * 1024])
      expect(await read(body, pieceBytes)).toBe("form_broken");
  });

  test("of a type that names no boundary is broken", async () => {
    expect(await read(multipart(PARTS), 64, {}, "multipart/form-data")).toBe("form_broken");
    expect(await read(multipart(PARTS), 64, {}, "multipart/form-data; boundary=")).toBe(
      "form_broken",
    );
  });

  test("of too much text is refused", async () => {
    const long = "x".repeat(70_000);

    expect(
      await read(
        multipart([
          ["a", long],
          ["b", long],
        ]),
      ),
    ).toBe("request_too_large");
    expect(await read(multipart([["a", long.repeat(2)]]))).toBe("request_too_large");
  });
});

describe("photos that cannot be stored", () => {
  const photos: readonly Part[] = [
    ["photos", "small", "x"],
    ["photos", "large", Buffer.alloc(9 * MIB, "y")],
    ["photos", "small", "z"],
    ["name", "Mimi"],
  ];

  test("because they are too large leave room for the others, and the texts are there", async () => {
    expect(await read(multipart(photos))).toEqual([
      ["photos", "small", "x"],
      ["photos", "large", "too_large photos_too_large"],
      ["photos", "small", "z"],
      ["name", "Mimi"],
    ]);
  });

  test.each([
    ["nearly full", async () => 400 * MIB, "too_large photos_no_room"],
    ["full", async () => 0, "unavailable photos_not_kept"],
  ])("because the disk is %s say so, and the texts are there", async (_, freeBytes, said) => {
    const body = multipart([
      ["photos", "a", "x"],
      ["name", "Mimi"],
    ]);

    expect(await read(body, 64, { freeBytes })).toEqual([
      ["photos", "a", said],
      ["name", "Mimi"],
    ]);
  });

  rootTests.test("because the disk becomes full say so, and the next one is stored", async () => {
    const disk = await openSmallDisk(join(folder, "disk"), 1);
    if (disk === null) throw new Error("no small disk could be mounted");
    const body = multipart([photos[1] as Part, ["name", "Mimi"]]);
    const small = multipart([["photos", "a", "x"]]);
    try {
      expect(await read(body, 64 * 1024, { folder: disk.path })).toEqual([
        ["photos", "large", "unavailable photos_not_kept"],
        ["name", "Mimi"],
      ]);
      expect(await read(small, 64, { folder: disk.path })).toEqual([["photos", "a", "x"]]);
    } finally {
      await disk.unmount();
      rmSync(disk.path, { recursive: true });
    }
  });
});

test("a form that is given up leaves neither a file nor an open one behind", async () => {
  const readForm = createFormReader({ folder, freeBytes: async () => 1e12, random });
  const body = multipart(PARTS, "");
  async function* pieces() {
    yield body;
    yield Buffer.alloc(100_000);
    throw new Fault("unavailable", { reason: "photos_slow" });
  }

  for (let nth = 0; nth < 20; nth += 1)
    await expect(readForm(pieces(), TYPE)).rejects.toMatchObject({ code: "unavailable" });
});

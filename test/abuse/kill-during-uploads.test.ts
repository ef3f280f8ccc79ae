import { expect, test } from "bun:test";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { bytesIn, openUploads } from "../support/disk.ts";
import { exifCoordinate, jpeg } from "../support/picture.ts";
import { scratchFolder, serve, until } from "../support/process.ts";
import { LOST_CAT, upload } from "../support/world.ts";

const UPLOADS = 6;
const HERE = { lat: 45.763842, lng: 4.841296 };
const POSITION = exifCoordinate(HERE.lat).toString("latin1");

test("a kill in the middle of uploads leaves no photo with its position on the disk", async () => {
  const folder = scratchFolder();
  const [dataDir, temporary] = [join(folder.path, "data"), join(folder.path, "tmp")];
  mkdirSync(temporary);
  const served = await serve(dataDir, { TMPDIR: temporary });
  const photo = await jpeg({ width: 2_000, height: 1_500, gps: HERE });
  const sockets = await Promise.all(
    Array.from({ length: UPLOADS }, () => sendWithoutEnd(served.baseUrl, photo)),
  );
  const { pid } = served.child;
  const positions = () =>
    openUploads(pid)
      .read()
      .filter((bytes) => bytes.includes(POSITION)).length;
  await until(() => positions() === UPLOADS);

  served.child.kill("SIGKILL");
  await served.child.exited;
  for (const socket of sockets) socket.end();

  for (const bytes of [bytesIn(dataDir), bytesIn(folder.path)]) {
    expect(bytes).not.toContain(POSITION);
    expect(bytes).not.toContain("Exif\0\0");
  }
  expect(readdirSync(dataDir).filter((name) => name.startsWith("upload-"))).toEqual([]);
  folder.forget();
});

/** Sends a form with a photo, except for its last bytes. */
async function sendWithoutEnd(baseUrl: string, photo: Uint8Array) {
  const { type, species, color, email } = LOST_CAT;
  const form = new Response(upload({ type, species, color, email, place: "Lyon" }, [photo]).body);
  // Bun forgets it once the body is read.
  const contentType = form.headers.get("Content-Type");
  const body = Buffer.from(await form.arrayBuffer());
  const { hostname, port } = new URL(baseUrl);
  const head = [
    "POST /publish HTTP/1.1",
    `Host: ${hostname}:${port}`,
    `Content-Type: ${contentType}`,
    `Content-Length: ${body.length}`,
  ].join("\r\n");
  let left = Buffer.concat([Buffer.from(`${head}\r\n\r\n`), body.subarray(0, -20)]);
  const write = (socket: Bun.Socket) => {
    left = left.subarray(socket.write(left));
  };
  return Bun.connect({
    hostname,
    port: Number(port),
    socket: { open: write, drain: write, data() {} },
  });
}

import { expect, test } from "bun:test";
import { type Weakening, without } from "../chaos/weakened.ts";
import { type Program, scratchFolder, serve } from "../support/process.ts";
import { LOST_CAT, upload } from "../support/world.ts";

/** Bun counts idle time in steps of four seconds: after less than one step, a connection ends before it is read. */
const IDLE_SECONDS = 8;
/** The program with its times shortened, so that nobody waits half a minute for them. */
const withTimeouts = (instead: string): Weakening => ({
  module: "src/http/middleware/timeouts.ts",
  name: "TIMEOUTS",
  instead,
});

test("a phone may pause in the middle of its photos for longer than any other client may", async () => {
  const ends = await without(
    [withTimeouts(`{ ...original.TIMEOUTS, idleSeconds: ${IDLE_SECONDS} }`)],
    ({ program }) => pauseUntilOthersAreEnded(program),
  );

  expect(ends).toEqual({ plainForm: "", upload: expect.stringMatching(/^HTTP\/1\.1 303 /) });
});

test("a form that takes too long is answered before its connection is dropped", async () => {
  const answer = await without(
    [withTimeouts("{ ...original.TIMEOUTS, formMs: 500 }")],
    stopHalfway,
  );

  expect(answer).toMatch(/^HTTP\/1\.1 503 /);
  expect(answer).toMatch(/^Retry-After: 15\r$/m);
});

async function stopHalfway({ program }: { readonly program: Program }): Promise<string> {
  const folder = scratchFolder();
  const served = await serve(folder.path, {}, program);
  try {
    const sent = new Response(upload(LOST_FIELDS, [Buffer.alloc(100_000)]).body);
    const multipart = sent.headers.get("Content-Type") ?? "";
    const { answer } = await beginForm(served.baseUrl, "/publish", multipart, await sent.text());
    return await answer;
  } finally {
    served.child.kill("SIGKILL");
    await served.child.exited;
    folder.forget();
  }
}

const { type, species, color, email } = LOST_CAT;
const LOST_FIELDS = { type, species, color, email, place: "Lyon" };

/**
 * Two clients stop in the middle of a form. When the server has ended the connection of the one without photos, the
 * other sends the rest. Gives what each was answered.
 */
async function pauseUntilOthersAreEnded(program: Program) {
  const folder = scratchFolder();
  const served = await serve(folder.path, {}, program);
  try {
    const sent = new Response(upload(LOST_FIELDS).body);
    const multipart = sent.headers.get("Content-Type") ?? "";
    const uploading = await beginForm(served.baseUrl, "/publish", multipart, await sent.text());
    const plain = await beginForm(
      served.baseUrl,
      "/subscribe",
      "application/x-www-form-urlencoded",
      "lat=45.77&lng=4.83&email=reader@example.org",
    );
    const plainForm = await plain.answer;
    uploading.sendRest();
    return { plainForm, upload: await uploading.answer };
  } finally {
    served.child.kill("SIGKILL");
    await served.child.exited;
    folder.forget();
  }
}

/** Sends a form's head and the first half of its body. */
async function beginForm(baseUrl: string, path: string, type: string, body: string) {
  const { hostname, port } = new URL(baseUrl);
  const { promise: answer, resolve } = Promise.withResolvers<string>();
  const half = Math.floor(body.length / 2);
  let received = "";
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data(_, bytes) {
        received += bytes.toString("latin1");
        if (received.includes("\r\n\r\n")) resolve(received);
      },
      close: () => resolve(received),
      error: () => resolve(received),
    },
  });
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    `Content-Type: ${type}`,
    `Content-Length: ${body.length}`,
  ].join("\r\n");
  socket.write(`${head}\r\n\r\n${body.slice(0, half)}`);
  return { answer, sendRest: () => socket.write(body.slice(half)) };
}

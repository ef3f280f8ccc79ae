import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Hono } from "hono";
import { ERROR_MESSAGES } from "../../../src/messages/messages.ts";
import { withOwnHost } from "../../../src/commands/serve.ts";
import { faultPage } from "../../../src/http/web/routes.tsx";
import { siteOf } from "../../support/site.ts";
import { jpeg } from "../../support/picture.ts";
import { allLinks } from "../../support/private-links.ts";
import {
  BASE_URL,
  createWorld,
  FINDER,
  form,
  LOST_CAT,
  upload,
  type World,
} from "../../support/world.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

describe("every page", () => {
  test("loads nothing from elsewhere but map tiles, runs no script but ours and says how it may be kept", async () => {
    const links = await allLinks(world);
    const open = ["/", "/about", links.alert.url, links.alert.contact_url];
    const secret = [
      links.waiting,
      links.confirmed,
      `${links.waiting}/not-me`,
      links.manage,
      `${links.manage}/remove`,
      links.conversation,
      links.unsubscribe,
      "/confirm/unknown",
      "/alerts/lost-cat-nobody-abc234",
    ];

    for (const path of [...open, ...secret]) {
      const answer = await world.fetch(path);
      const { headers } = answer;
      const page = await answer.text();

      expect(headers.get("Content-Security-Policy")).toMatch(
        /^default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'(?: data:)?(?: blob:)?(?: https:\/\/tile\.openstreetmap\.org)?; manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
      );
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
      const policy = secret.includes(path) ? "no-referrer" : "same-origin";
      expect(headers.get("Referrer-Policy")).toBe(policy);
      expect(headers.get("Cache-Control")).toBe(secret.includes(path) ? "no-store" : "no-cache");
      expect(headers.get("X-Robots-Tag")).toBe(secret.includes(path) ? "noindex" : null);
      expect(page).not.toMatch(
        /<script(?! type="(?:module" src="\/scripts\/|application\/ld\+json"))|<[^>]*\s(?:on\w+|style)=|javascript:/i,
      );
      expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
      expect(page.match(/<h1/g)).toHaveLength(1);
      for (const [, address = ""] of page.matchAll(/(?:<link[^>]* href|src|action)="([^"]*)"/g))
        expect(address).toMatch(/^(\/(?!\/)|http:\/\/localhost:3000\/)/);
    }
  });

  test("takes no address from the Host header", async () => {
    const alert = await world.publish();

    const page = await world.app.fetch(
      new Request(`http://evil.example/alerts/${alert.slug}`, {
        headers: { Host: "evil.example" },
      }),
      null,
    );

    expect(await page.text()).not.toContain("evil.example");
  });

  test("leads to its other languages here, however the address was written", async () => {
    for (const path of ["//evil.example/x", "/\\\\evil.example/x", "///evil.example"])
      expect(await world.text(`${BASE_URL}${path}`)).not.toMatch(/(?:href|action)="\/[/\\]/);
  });

  test("is answered under HTTP/1.0, which knows no Host header, as under our own address", async () => {
    const server = Bun.serve({
      port: 0,
      fetch: (request) => world.app.fetch(withOwnHost(request, BASE_URL), null),
    });
    const asked = async (head: string) =>
      (await answerTo(server.port ?? 0, `${head}\r\n\r\n`)).split("\r\n")[0];
    const form = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n\r\na=b";

    for (const path of ["/healthz", "/about?lang=fr", "/api/v1/alerts", "//evil.example/healthz"])
      expect(`${path} ${await asked(`GET ${path} HTTP/1.0`)}`).toBe(
        `${path} HTTP/1.1 ${path.startsWith("//") ? "404 Not Found" : "200 OK"}`,
      );
    expect(await asked(`POST /subscribe HTTP/1.0\r\n${form}`)).toBe("HTTP/1.1 400 Bad Request");
    await server.stop(true);
  });

  test("is refused under a Host header that names no host, as what it asks for and as closed as any other", async () => {
    const server = Bun.serve({
      port: 0,
      fetch: (request) => world.app.fetch(withOwnHost(request, BASE_URL), null),
    });
    const types = {
      "/about?lang=fr": "text/html",
      "/x/healthz": "text/html",
      "/api/v1/alerts?limit=1": "application/problem+json",
      "/api/mcp": "application/problem+json",
    };
    for (const host of ["a b", "[::", "x:99999"])
      for (const [path, type] of Object.entries(types)) {
        const head = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
        const answer = await answerTo(server.port ?? 0, head);

        // On a loopback address the tool server answers its own host names only.
        const status = path === "/api/mcp" ? "403 Forbidden" : "400 Bad Request";
        expect(`${path} ${answer}`).toStartWith(`${path} HTTP/1.1 ${status}`);
        expect(answer).toMatch(/^x-frame-options: DENY\r$/im);
        expect(answer.toLowerCase()).toContain(`content-type: ${type}`);
      }
    await server.stop(true);
  });
});

describe("a form", () => {
  test("is taken as browsers send it and in no other way", async () => {
    const alert = await world.publish();
    const fields = { email: FINDER, message: "hello" };
    const parts = new FormData();
    for (const [name, value] of Object.entries(fields)) parts.set(name, value);
    const file = new FormData();
    file.set("message", new File(["x"], "x.txt"));
    const send = async (init: RequestInit) =>
      (await world.fetch(alert.contact_url, { method: "POST", ...init })).status;

    expect(await send({ body: parts })).toBe(303);
    expect(await send({ body: JSON.stringify(fields) })).toBe(415);
    expect(await send({})).toBe(415);
    expect(
      await send({
        body: JSON.stringify(fields),
        headers: { "Content-Type": "application/json" },
      }),
    ).toBe(415);
    expect(await send({ body: file })).toBe(400);
    expect(
      await send({ body: "nonsense", headers: { "Content-Type": "multipart/form-data" } }),
    ).toBe(400);
    const doubled = { ...form({}), body: "message=a&message=b&email=finder%40example.net" };
    expect(await send(doubled)).toBe(400);
  });

  test("that arrives damaged is answered in a sentence in the reader's language", async () => {
    const photo = await jpeg({ width: 640, height: 480 });
    const sent = new Response(upload({ type: "lost" }, [photo]).body);
    const type = sent.headers.get("Content-Type") ?? "";
    const body = Buffer.from(await sent.arrayBuffer());
    const boundary = /boundary="?([^"]+)/.exec(type)?.[1] ?? "";
    const boundaries = `multipart/form-data; boundary=other; boundary=${boundary}`;
    for (const [bytes, contentType] of [
      [body.subarray(0, -10), type],
      [body, "multipart/form-data"],
      [body, boundaries],
    ] as const) {
      const headers = { "Content-Type": contentType, "Accept-Language": "de" };
      const answer = await world.fetch("/publish", { method: "POST", headers, body: bytes });
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain(ERROR_MESSAGES.de.because.form_broken);
    }
  });

  test("has no more parts than a form of ours can have", async () => {
    const send = async (count: number) => {
      const parts = `--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n--\r\n`.repeat(count);
      const headers = { "Content-Type": "multipart/form-data; boundary=x" };
      return world.fetch("/unsubscribe/x", { method: "POST", headers, body: `${parts}--x--\r\n` });
    };

    expect((await send(100)).status).toBe(200);
    const refused = await send(1_000);
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain("form");
  });

  test("has no more of its files looked at than could be kept", async () => {
    const broken = Array.from({ length: 60 }, () => new TextEncoder().encode("GIF89a"));
    const fields = { type: "lost", species: "cat", color: "grey", place: "Lyon", email: FINDER };
    const send = (photos: readonly Uint8Array[]) =>
      world.fetch("/publish", { method: "POST", ...upload(fields, photos) });

    // Each one that is looked at counts against the caller's hour.
    expect((await send(broken)).status).toBe(400);
    expect((await send([await jpeg({ width: 64, height: 48 })])).status).toBe(303);
  });

  test("posts to its own page, however its address was bent", async () => {
    const asked = await world.post("/subscribe", { place: "Lyon", email: "x@example.org" });
    const bent = `${asked.headers.get("Location")}${encodeURIComponent("=/../../admin/sign-out#")}`;

    expect(await world.text(bent)).not.toContain('action="/admin');
  });

  test("sent by another site is refused, save for unsubscribing", async () => {
    const links = await allLinks(world);
    const across = { ...form({}), method: "POST" };
    across.headers["Sec-Fetch-Site"] = "cross-site";

    for (const path of [
      links.alert.contact_url,
      links.waiting,
      `${links.waiting}/not-me`,
      `${links.waiting}/allow`,
      `${links.manage}/resolve`,
      `${links.manage}/remove`,
      links.conversation,
    ])
      expect((await world.fetch(path, across)).status).toBe(403);

    expect((await world.json(`/api/v1/alerts/${links.alert.id}`)).status).toBe("active");
    expect((await world.fetch(links.unsubscribe, across)).status).toBe(200);
  });
});

describe("files and faults", () => {
  test("a bug is a page without inner words, with the number to quote", async () => {
    const app = new Hono().get("/", () => {
      throw new Error("inner words");
    });
    app.onError((_, c) => faultPage(c, { request: "3e018a525928" }, siteOf(world)));

    const answer = await app.request("/");

    expect(answer.status).toBe(500);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect(await answer.text()).toMatch(/Something went wrong(?!.*inner words).*3e018a525928/s);
  });
});

/** The first piece of the answer to what no client of the platform sends. */
async function answerTo(port: number, request: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  await Bun.connect({
    hostname: "localhost",
    port,
    socket: {
      open: (socket) => void socket.write(request),
      data: (_socket, bytes) => resolve(bytes.toString("latin1")),
    },
  });
  return promise;
}

test("the program starts in any folder: Bun reads the tsconfig of the current one", () => {
  const main = new URL("../../../src/main.ts", import.meta.url).pathname;
  const { success, stderr } = Bun.spawnSync([process.execPath, main, "--version"], { cwd: "/" });

  expect(stderr.toString()).toBe("");
  expect(success).toBe(true);
});

test("a page is compressed if it is public, and never if it holds a private link", async () => {
  await world.publish();
  const packed = { headers: { "Accept-Encoding": "gzip" } };
  const home = await world.fetch("/", packed);
  const manage = await world.fetch(await world.linkTo(LOST_CAT.email, "/manage/"), packed);

  expect(home.headers.get("Content-Encoding")).toBe("gzip");
  expect(home.headers.get("Vary")).toContain("Accept-Encoding");
  expect(new TextDecoder().decode(Bun.gunzipSync(await home.arrayBuffer()))).toBe(
    await world.text("/"),
  );
  expect(manage.headers.get("Content-Encoding")).toBeNull();
});

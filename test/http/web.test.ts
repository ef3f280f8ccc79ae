import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Hono } from "hono";
import { createLinks } from "../../src/core/links.ts";
import { isUpload, withOwnHost } from "../../src/http/app.ts";
import { faultPage } from "../../src/http/web/pages.tsx";
import { jpeg } from "../support/picture.ts";
import {
  BASE_URL,
  createWorld,
  form,
  linkIn,
  LOST_CAT,
  upload,
  type World,
} from "../support/world.ts";
import { DAY, HOUR } from "../support/time.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

const FINDER = "finder@example.net";

async function text(path: string, init: RequestInit = {}): Promise<string> {
  return (await world.fetch(path, init)).text();
}

function post(path: string, fields: Record<string, string> = {}): Promise<Response> {
  return world.fetch(path, { method: "POST", ...form(fields) });
}

/** The private link in the newest letter that has one. */
async function linkTo(to: string, part: string): Promise<string> {
  const letters = await world.letters(to);
  return linkIn(
    letters.findLast((letter) => letter.text?.includes(part)),
    part,
  );
}

/** Asks by tool for a publication; gives the link of its letter. */
async function asked(about: Record<string, unknown> = {}): Promise<string> {
  await world.tool("publish_alert", { ...LOST_CAT, ...about });
  return linkTo(LOST_CAT.email, "/confirm/");
}

/** An alert with a conversation about it, and every kind of private link. */
async function everything() {
  const alert = await world.publish();
  const manage = await linkTo(LOST_CAT.email, "/manage/");
  await post(`${alert.contact_url}`, { name: "Jo", email: FINDER, message: "She is here." });
  const confirmed = await linkTo(FINDER, "/confirm/");
  await post(confirmed);
  const conversation = await linkTo(LOST_CAT.email, "/conversation/");
  await world.tool("subscribe_zone", { lat: 45.77, lng: 4.83, email: "z@example.org" });
  const waiting = await linkTo("z@example.org", "/confirm/");
  const unsubscribe = await unsubscribeLink("y@example.org");
  return { alert, manage, confirmed, conversation, waiting, unsubscribe };
}

async function unsubscribeLink(email: string, about: Record<string, unknown> = {}) {
  await world.tool("subscribe_zone", { lat: 45.77, lng: 4.83, email, ...about });
  const done = await (await world.confirm(email)).text();
  return `${BASE_URL}${/href="(\/unsubscribe\/[^"]+)"/.exec(done)?.[1]}`;
}

const NEVER = new Response(null, { status: 599 });

/** The first line of the answer to a form without parts; no client of the platform sends such a Host. */
async function statusLine(port: number, asked: string, host: string): Promise<string> {
  const head = [
    `${asked} HTTP/1.1`,
    `Host: ${host}`,
    "Content-Type: multipart/form-data; boundary=x",
    "Content-Length: 0",
    "Connection: close",
  ];
  return (await answerTo(port, `${head.join("\r\n")}\r\n\r\n`)).split("\r\n")[0] ?? "";
}

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

describe("every page", () => {
  test("loads nothing from elsewhere but map tiles, runs no script but ours and says how it may be kept", async () => {
    const links = await everything();
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
        /^default-src 'none'; style-src 'self'; (?:script-src 'self'; connect-src 'self'; )?img-src 'self'(?: data:)?(?: blob:)?(?: https:\/\/tile\.openstreetmap\.org)?; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
      );
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(headers.get("Referrer-Policy")).toBe("no-referrer");
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

  test("changes nothing when it is looked at, whatever looks", async () => {
    const links = await everything();
    const before = await world.json("/api/v1/alerts");

    for (const path of [
      links.waiting,
      `${links.waiting}/not-me`,
      `${links.waiting}/allow`,
      links.manage,
      `${links.manage}/resolve`,
      `${links.manage}/remove`,
      links.conversation,
      links.unsubscribe,
    ]) {
      for (const method of ["GET", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH"])
        await world.fetch(path, { method });
    }

    expect(await world.json("/api/v1/alerts")).toEqual(before);
    expect(await text(links.waiting)).toContain("Send me these emails");
    expect(await text(links.unsubscribe)).toContain("Stop these emails");
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
      expect(await text(`${BASE_URL}${path}`)).not.toMatch(/(?:href|action)="\/[/\\]/);
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

  test("is refused under a Host header that names no host, which is no bug of ours", async () => {
    const server = Bun.serve({
      port: 0,
      fetch: (request) => (isUpload(request) ? NEVER : world.app.fetch(request, null)),
    });
    for (const host of ["a b", "[::", '"', "x:99999"]) {
      for (const asked of ["GET /about", "POST /publish"])
        expect(await statusLine(server.port ?? 0, asked, host)).toBe("HTTP/1.1 400 Bad Request");
    }
    await server.stop(true);
  });

  test("is refused under such a header as what it asks for, and as closed as any other", async () => {
    const server = Bun.serve({
      port: 0,
      fetch: (request) => world.app.fetch(withOwnHost(request, BASE_URL), null),
    });
    const types = {
      "/about?lang=fr": "text/html",
      "/x/embed": "text/html",
      "/x/healthz": "text/html",
      "/api/v1/alerts?limit=1": "application/problem+json",
      "/api/mcp": "application/problem+json",
    };
    for (const [path, type] of Object.entries(types)) {
      const head = `GET ${path} HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n`;
      const answer = await answerTo(server.port ?? 0, head);

      expect(`${path} ${answer}`).toStartWith(`${path} HTTP/1.1 400 Bad Request`);
      expect(answer).toMatch(/^x-frame-options: DENY\r$/im);
      expect(answer.toLowerCase()).toContain(`content-type: ${type}`);
    }
    await server.stop(true);
  });

  test("shows hostile text as text", async () => {
    const evil = `"><img src=x onerror=alert(1)></textarea><script>'`;
    const alert = await world.publish({
      name: evil,
      color: "javascript:alert(1)",
      breed: evil,
      description: evil,
      city: evil,
    });
    const manage = await linkTo(LOST_CAT.email, "/manage/");
    await post(alert.contact_url, { name: evil, email: FINDER, message: evil });
    const message = await linkTo(FINDER, "/confirm/");
    const preview = await text(message);
    await post(message);
    const conversation = await linkTo(LOST_CAT.email, "/conversation/");
    const unsubscribe = await unsubscribeLink("y@example.org", { label: evil });
    const draft = await asked({ name: evil, description: evil, color: evil });

    const pages = [
      preview,
      await text("/"),
      await text(`/?q=${encodeURIComponent(evil)}&species=${encodeURIComponent(evil)}`),
      await text(`/confirm/${encodeURIComponent(evil)}`),
      await text(alert.url),
      await text(alert.contact_url),
      await (await post(alert.contact_url, { name: evil, email: evil, message: evil })).text(),
      await text(manage),
      await text(conversation),
      await text(unsubscribe),
      await text(draft),
      await (await post(draft, { color: " ", name: evil, description: evil })).text(),
    ];

    for (const page of pages) {
      if (!page.includes("There is nothing here")) expect(page).toContain("&gt;&lt;img");
      expect(page).not.toMatch(
        /<img src=x|<script(?! type="(?:module" src="\/scripts\/|application\/ld\+json"))|<\/textarea>&lt;img/i,
      );
      expect(page).not.toMatch(/(?:href|src|action)="javascript:/i);
    }
  });
});

describe("the home page", () => {
  test("lists the newest alerts and leads to older ones until there are none", async () => {
    const names = Array.from({ length: 23 }, (_, at) => `Pet${at}x`);
    for (const [at, name] of names.entries()) {
      if (at % 5 === 0) world.jump(HOUR + 1);
      await world.publish({ name, email: `owner${at}@example.org` });
    }

    const first = await text("/");
    const next = /rel="next" href="([^"]+)"/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const second = await text(next);

    expect(names.filter((name) => first.includes(name))).toEqual(names.slice(3));
    expect(names.filter((name) => second.includes(name))).toEqual(names.slice(0, 3));
    expect(second).not.toContain('rel="next"');
  });

  test("finds by words, kind and animal, ignores what was left empty, and keeps what was typed", async () => {
    await world.publish({ name: "Mimi" });
    await world.publish({ name: "Rex", species: "dog", email: "rex@example.org" });

    const dogs = await text("/?q=&species=dog&type=lost&cursor=&unknown=1");
    const none = await text("/?q=rex&species=cat");

    expect(dogs).toContain("Lost dog: Rex");
    expect(dogs).not.toContain("Mimi");
    expect(dogs).toContain('<option value="dog" selected="">');
    expect(none).toContain("No alert fits.");
    expect(none).toContain('value="rex"');
  });

  test("tells what is wrong with a search", async () => {
    for (const query of ["q=!!!", "species=zebra", "type=seen", "cursor=yesterday", "q=a&q=b"]) {
      const answer = await world.fetch(`/?${query}`);

      expect(answer.status).toBe(400);
    }
    expect(await text("/?q=!!!")).toMatch(/role="alert".*href="#field-q"/s);
  });
});

describe("an alert's page", () => {
  test("shows what is public and tells machines where it is", async () => {
    const alert = await world.publish({
      breed: "siamese",
      size: "small",
      sex: "female",
      age: "senior",
      description: 'shy & "small"',
      event_date: "2026-04-29",
    });

    const page = await text(alert.url);

    for (const said of [
      "Lost cat: Mimi",
      "siamese",
      "grey tabby",
      "small",
      "female",
      "old",
      "shy &amp; &quot;small&quot;",
      "29 April 2026",
      "Lyon, France",
      "About 45.77, 4.83; shown to about 1 km.",
      `/a/${alert.short_code}`,
      `/api/qr/${alert.short_code}`,
      `<link rel="canonical" href="${alert.url}"/>`,
      '<meta property="og:title" content="Lost cat: Mimi (Lyon, France)"/>',
      '<meta property="og:description" content="shy &amp; &quot;small&quot;"/>',
      "Write to the owner",
    ])
      expect(page).toContain(said);
    expect(page).not.toContain(LOST_CAT.email);
  });

  test("is found under its other names, and poster codes lead to it", async () => {
    const alert = await world.publish();

    for (const name of [alert.id, alert.short_code, alert.short_code.toLowerCase()]) {
      const answer = await world.fetch(`/alerts/${name}`);
      expect([answer.status, answer.headers.get("Location")]).toEqual([301, alert.url]);
    }
    const short = await world.fetch(`/a/${alert.short_code}`);
    expect([short.status, short.headers.get("Location")]).toEqual([302, alert.url]);
    const contact = await world.fetch(`/alerts/${alert.id}/contact`);
    expect(contact.headers.get("Location")).toBe(alert.contact_url);
  });

  test("says so when the animal is home, when its time is over, and when it is gone", async () => {
    const alert = await world.publish();
    const manage = await linkTo(LOST_CAT.email, "/manage/");
    const found = await world.publish({ type: "found", email: "f@example.org" });

    await world.pass(29 * DAY);
    await post(`${manage}/resolve`);
    await world.pass(2 * DAY);

    expect(await text(alert.url)).toMatch(/Home again(?!.*Write to the owner)/s);
    expect(await text(alert.contact_url)).not.toContain("<form");
    expect(await text(found.url)).toMatch(/Expired.*Write to the finder/s);

    await post(`${manage}/remove`);
    const gone = await world.fetch(alert.url);
    expect(gone.status).toBe(410);
    expect(await gone.text()).toContain("This alert is gone");
  });

  test("is a page for people when there is none", async () => {
    for (const path of [
      "/alerts/lost-cat-nobody-abc234",
      "/a/ABC234",
      "/alerts/%E0%A4%A",
      "/nowhere",
    ]) {
      const answer = await world.fetch(path);

      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain("<h1>There is nothing here</h1>");
    }
  });
});

describe("writing to an owner", () => {
  test("asks for a look into the mail, and tells what was taken out", async () => {
    const alert = await world.publish();

    const answer = await post(alert.contact_url, {
      name: "",
      email: FINDER,
      message: "Call 06 12 34 56 78",
    });
    const page = await text(answer.headers.get("Location") ?? "");
    const review = await text(await linkTo(FINDER, "/confirm/"));

    expect(answer.status).toBe(303);
    expect(page).toContain("f…@e…");
    expect(page).not.toContain(FINDER);
    expect(page).toContain("Message: a phone number");
    expect(review).toContain("Call [removed]");
    expect(review).toContain("Without a name");
  });

  test("asks for what helps whoever reads it", async () => {
    const lost = await world.publish();
    const found = { type: "found", email: "f@example.org" };
    const finder = await world.publish({ ...found, custody: "finder" });
    const shelter = await world.publish({ ...found, custody: "shelter", color: "red" });

    expect(await text(lost.contact_url)).toMatch(/Write to the owner.*where did you see it\?/s);
    for (const [alert, reader] of [
      [finder, "finder"],
      [shelter, "shelter"],
    ] as const) {
      const page = await text(alert.contact_url);
      expect(page).toContain(`<h1>Write to the ${reader}</h1>`);
      expect(page).toContain("How do you know it is yours?");
      expect(page).not.toContain("did you see it");
      expect(await text(alert.url)).toContain(`Write to the ${reader}</a>`);
    }
  });

  test("shows faults beside what was typed", async () => {
    const alert = await world.publish();

    const answer = await post(alert.contact_url, { name: "Jo", email: "jo", message: "  " });
    const page = await answer.text();

    expect(answer.status).toBe(400);
    expect(page).toContain("<title>Please check: Write to the owner");
    expect(page).toContain('href="#field-email"');
    expect(page).toMatch(/id="field-email"[^>]*aria-invalid="true"[^>]*value="jo"/);
    expect(page).toContain('value="Jo"');
  });

  test("may be done so often an hour", async () => {
    const alert = await world.publish();
    const say = (message: string) => post(alert.contact_url, { email: FINDER, message });
    for (let at = 0; at < 20; at++) expect((await say(`hello ${at}`)).status).toBe(303);

    const refused = await say("hello again");

    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(await refused.text()).toContain("hello again");
  });

  test("counts a line break as one character, as browsers do", async () => {
    const alert = await world.publish();
    const message = "a\r\n".repeat(1_000);

    expect((await post(alert.contact_url, { email: FINDER, message })).status).toBe(303);
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
    const asked = await post("/subscribe", { place: "Lyon", email: "x@example.org" });
    const bent = `${asked.headers.get("Location")}${encodeURIComponent("=/../../admin/sign-out#")}`;

    expect(await text(bent)).not.toContain('action="/admin');
  });

  test("is known by its origin where the browser tells no more", async () => {
    const { waiting } = await everything();
    const from = async (Origin: string) => {
      const { headers, body } = form({});
      const init = { method: "POST", headers: { ...headers, Origin }, body };
      return (await world.fetch(`${waiting}/allow`, init)).status;
    };

    for (const origin of ["https://evil.example", "http://pets.localhost:3000", "file://"])
      expect(`${origin} ${await from(origin)}`).toBe(`${origin} 403`);
    // Our pages send no referrer, and so no origin either.
    for (const origin of ["null", BASE_URL]) expect(await from(origin)).not.toBe(403);
  });

  test("sent by another site is refused, save for unsubscribing", async () => {
    const links = await everything();
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

  test("under another method gives 405 and says what is possible", async () => {
    for (const [method, path, allow] of [
      ["POST", "/", "GET, HEAD"],
      ["POST", "/about", "GET, HEAD"],
      ["DELETE", "/confirm/x", "GET, HEAD, POST"],
      ["GET", "/confirm/x/allow", "POST"],
      ["GET", "/manage/x/resolve", "POST"],
      ["PUT", "/manage/x/remove", "GET, HEAD, POST"],
    ] as const) {
      const answer = await world.fetch(path, { method });

      expect([path, answer.status]).toEqual([path, 405]);
      expect(answer.headers.get("Allow")).toBe(allow);
    }
    expect((await post("/manage/x/publish")).status).toBe(404);
  });
});

describe("the confirmation page", () => {
  test("shows the alert as it will look and what was taken out, and says the same ever after", async () => {
    const link = await asked({ description: "Call 06 12 34 56 78 or write to me@example.org" });

    const review = await text(link);
    const first = await (await post(link)).text();
    const second = await (await post(link)).text();
    const later = await text(link);

    expect(review).toContain("Call [removed] or write to [removed]");
    expect(review).toContain("Description: a phone number and an email address");
    expect(review).toContain("Lost cat: Mimi");
    expect(first).toContain("Your alert is live");
    expect(first).toMatch(/href="\/manage\/[\w-]{43}"/);
    const content = (page: string) => page.slice(0, page.indexOf("<footer"));
    expect([second, later].map(content)).toEqual([content(first), content(first)]);
  });

  test("says of an alert that has ended since that it has", async () => {
    const { manage } = await everything();
    const link = await linkTo(LOST_CAT.email, "/confirm/");

    await post(`${manage}/resolve`);
    expect(await text(link)).toMatch(/<h1>Your alert was published<.*Home again/s);
    await post(`${manage}/remove`);
    const removed = await text(link);

    expect(removed).toContain("<h1>Your alert has been removed</h1>");
    expect(removed).not.toContain("live");
  });

  test("names the town a zone lies around", async () => {
    const { waiting, unsubscribe } = await everything();

    for (const link of [waiting, unsubscribe])
      expect(await text(link)).toContain("5\u00a0km around Lyon (45.77, 4.83)");
  });

  test("publishes what its editor says; emptied lines are cleared", async () => {
    const link = await asked({ breed: "siamese", description: "shy", type: "found" });

    await post(link, {
      name: "",
      breed: "",
      color: "blue",
      description: "",
      size: "large",
      sex: "male",
      age: "young",
      eventDate: "2026-04-02",
      custody: "vet",
    });

    const [alert] = (await world.json("/api/v1/alerts")).alerts;
    expect(alert).toMatchObject({
      pet_name: null,
      breed: "unknown",
      color: "blue",
      description: null,
      size: "large",
      sex: "male",
      age: "young",
      event_date: "2026-04-02",
      custody: "vet",
    });
  });

  test("offers a corrected form again when it cannot be, and publishes nothing", async () => {
    const link = await asked();

    const answer = await post(link, { name: "Minou", eventDate: "2031-01-01" });
    const page = await answer.text();

    expect(answer.status).toBe(400);
    expect(page).toContain("Lost on: this lies in the future");
    expect(page).toMatch(/id="field-name"[^>]*value="Minou"/);
    expect((await world.json("/api/v1/alerts")).alerts).toEqual([]);
    expect((await post(link, { name: "Minou" })).status).toBe(200);
  });

  test("says after two days that the link has expired", async () => {
    const link = await asked();
    await world.pass(2 * DAY);

    expect(await text(link)).toContain("This link has expired");
    expect(await (await post(link)).text()).toContain("This link has expired");
  });

  test("sends a message, and starts a zone with the way to end it", async () => {
    const { confirmed, waiting } = await everything();

    const zone = await (await post(waiting)).text();

    expect(await text(confirmed)).toContain("Your message is on its way");
    expect(zone).toContain("Your zone is active");
    expect(zone).toMatch(/href="\/unsubscribe\/[\w-]{43}"/);
  });

  test("keeps a message waiting when its alert is closed meanwhile, and says why", async () => {
    const alert = await world.publish();
    await post(alert.contact_url, { email: FINDER, message: "She is here." });
    const link = await linkTo(FINDER, "/confirm/");
    await post(`${await linkTo(LOST_CAT.email, "/manage/")}/resolve`);

    const answer = await post(link);

    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain("This animal is home again");
  });

  test("takes no for an answer, and the no can be taken back", async () => {
    const link = await asked();
    const letters = async () => (await world.letters(LOST_CAT.email)).length;

    expect(await text(`${link}/not-me`)).toContain("stop these emails");
    expect((await post(`${link}/not-me`)).status).toBe(200);
    await post(link);
    expect(await text(link)).toContain("Nothing will happen");
    expect((await world.json("/api/v1/alerts")).alerts).toEqual([]);

    await world.tool("publish_alert", { ...LOST_CAT, name: "Other" });
    expect(await letters()).toBe(1);

    expect((await post(`${link}/allow`)).status).toBe(200);
    await world.tool("publish_alert", { ...LOST_CAT, name: "Third" });
    expect(await letters()).toBe(2);
  });

  test("does not take back what was confirmed before", async () => {
    const link = await asked();
    await post(link);

    const page = await (await post(`${link}/not-me`)).text();

    expect(page).toContain("What was confirmed before stays as it is.");
    expect((await world.json("/api/v1/alerts")).alerts).toHaveLength(1);
  });
});

describe("the owner's page", () => {
  test("offers what is possible, does it, and does not mind a second press", async () => {
    const { manage, alert } = await everything();
    const status = async () => (await world.json(`/api/v1/alerts/${alert.id}`)).status;

    for (const [move, becomes] of [
      ["resolve", "resolved"],
      ["reopen", "active"],
      ["renew", "active"],
    ] as const) {
      for (const _ of ["first", "second"]) {
        const answer = await post(`${manage}/${move}`);
        expect(answer.status).toBe(303);
        expect(answer.headers.get("Location")).toStartWith(new URL(manage).pathname);
        expect(answer.headers.get("Cache-Control")).toBe("no-store");
        expect(await status()).toBe(becomes);
      }
    }
    await post(`${manage}/resolve`);
    const page = await text(`${manage}?done=resolve`);
    expect(page).toContain("The alert now says that it is home again.");
    expect(page).toContain("Open the alert again");
    expect(page).not.toContain("Renew the alert");
    expect((await post(`${manage}/renew`)).status).toBe(409);
  });

  test("removes only after asking once more", async () => {
    const { manage, alert } = await everything();

    expect(await text(manage)).toContain(`href="${new URL(manage).pathname}/remove"`);
    expect(await text(`${manage}/remove`)).toContain("Yes, remove it for good");
    expect((await world.fetch(alert.url)).status).toBe(200);
    const removed = await post(`${manage}/remove`);

    expect([removed.status, await removed.text()]).toEqual([
      200,
      expect.stringContaining("Your alert is gone"),
    ]);
    expect((await world.fetch(alert.url)).status).toBe(410);
    expect((await post(`${manage}/remove`)).status).toBeGreaterThanOrEqual(400);
  });
});

describe("a conversation", () => {
  test("shows both sides in order, each under its own name", async () => {
    const { conversation } = await everything();

    const answer = await post(conversation, { message: "Thank you!\nWhere?" });
    const theirs = await linkTo(FINDER, "/conversation/");

    expect(answer.status).toBe(303);
    expect(answer.headers.get("Location")).toBe(`${new URL(conversation).pathname}#latest`);
    expect(await text(conversation)).toMatch(/Jo<.*She is here\..*You<.*Thank you!\nWhere\?/s);
    expect(await text(theirs)).toMatch(/You<.*She is here\..*The owner<.*Thank you!\nWhere\?/s);
  });

  test("keeps the text that could not be sent", async () => {
    const { conversation } = await everything();
    const long = "so ".repeat(700);

    const answer = await post(conversation, { message: long });

    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(long);
  });

  test("says that the animal is home, and what [removed] stands for where it stands", async () => {
    const { conversation, manage } = await everything();
    const home = "This animal is home again.";
    const explained = "[removed] stands for contact details";
    const before = await text(conversation);

    await post(conversation, { message: "Call 06 12 34 56 78" });
    await post(`${manage}/resolve`);
    const after = await text(conversation);

    for (const said of [home, explained]) expect(before).not.toContain(said);
    expect(after).toMatch(/This animal is home again\..*class="messages"/s);
    expect(after.split(explained)).toHaveLength(2);
  });

  test("is over when the alert is removed", async () => {
    const { conversation, manage } = await everything();

    await post(`${manage}/remove`);

    expect((await world.fetch(conversation)).status).toBe(404);
    expect((await post(conversation, { message: "hello" })).status).toBe(404);
  });
});

describe("unsubscribing", () => {
  test("takes one click of a mail program, and the second is as good", async () => {
    const { unsubscribe } = await everything();
    const zones = async () => (await world.app.service.state()).zones;
    expect(await text(unsubscribe)).toContain("Stop the emails about this zone?");
    expect(await zones()).toBe(1);

    for (const _ of ["first", "second"])
      expect((await post(unsubscribe, { "List-Unsubscribe": "One-Click" })).status).toBe(200);

    expect(await zones()).toBe(0);
    expect(await text(unsubscribe)).toContain("These emails have stopped");
  });

  test("from reminders leaves the alert alone", async () => {
    const alert = await world.publish();
    await world.pass(83 * DAY);
    const link = await linkTo(LOST_CAT.email, "/unsubscribe/");

    expect(await text(link)).toContain("Stop the reminders about this alert?");
    expect((await post(link)).status).toBe(200);
    await world.pass(6 * DAY + HOUR);

    const reminders = (await world.letters(LOST_CAT.email)).filter((letter) =>
      letter.text?.includes("/unsubscribe/"),
    );
    expect(reminders).toHaveLength(1);
    expect((await world.json(`/api/v1/alerts/${alert.id}`)).status).toBe("active");
  });
});

describe("files and faults", () => {
  test("the style sheet can be kept for ever under the address pages give", async () => {
    const address = /href="(\/style\.css\?v=[^"]+)"/.exec(await text("/"))?.[1] ?? "";

    const style = await world.fetch(address);

    expect(style.headers.get("Content-Type")).toBe("text/css; charset=utf-8");
    expect(style.headers.get("Cache-Control")).toContain("immutable");
    expect((await world.fetch("/style.css")).headers.get("Cache-Control")).toBe("no-cache");
    for (const icon of ["/icon.svg", "/favicon.ico"])
      expect((await world.fetch(icon)).headers.get("Content-Type")).toBe("image/svg+xml");
  });

  test("a bug is a page without inner words, with the number to quote", async () => {
    const site = {
      links: createLinks(BASE_URL),
      siteName: "Pet Alert",
      tiles: null,
      isModerated: false,
    };
    const app = new Hono().get("/", () => {
      throw new Error("inner words");
    });
    app.onError((_, c) => faultPage(c, { request: "3e018a525928" }, site));

    const answer = await app.request("/");

    expect(answer.status).toBe(500);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect(await answer.text()).toMatch(/Something went wrong(?!.*inner words).*3e018a525928/s);
  });

  test("the about page names what is kept, the limits and the addresses for programs", async () => {
    const page = await text("/about");

    for (const said of [
      "30 days after the alert’s end",
      "48 hours",
      "exact position is never stored",
      "5 alerts an hour",
      "20 messages an hour",
      "10 zones to watch an hour",
      `${BASE_URL}/api/v1/alerts`,
      `${BASE_URL}/api/mcp`,
      'href="https://www.geonames.org/"',
      "CC BY 4.0",
    ])
      expect(page).toContain(said);
  });
});

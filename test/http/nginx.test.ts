import { expect } from "bun:test";
import { join } from "node:path";
import { openSite } from "../e2e/site.ts";
import { MODERATED, signIn } from "../support/moderators.ts";
import { jpeg } from "../support/picture.ts";
import { confirmLink } from "../support/private-links.ts";
import { freePort, scratchFolder, until } from "../support/process.ts";
import {
  findProgram,
  missingProgram,
  PROGRAMS,
  testsUnlessMissing,
} from "../support/system-programs.ts";
import { form, LOST_CAT } from "../support/world.ts";

const { afterAll, beforeAll, describe, test } = testsUnlessMissing(missingProgram(PROGRAMS.nginx));

// The service behind a real nginx: as deploy/nginx.conf has it, and as many people write it.

const documented = await Bun.file("deploy/nginx.conf").text();
const HOST = /^\s*proxy_set_header Host .*\n/m;

type Way = { readonly path: string; readonly change: (conf: string) => string };
const WAYS: Readonly<Record<string, Way>> = {
  "as documented": { path: "", change: (conf) => conf },
  "without the Host": { path: "", change: (conf) => conf.replace(HOST, "") },
  "with a Host that lost its port": {
    path: "",
    change: (conf) => conf.replace("$http_host", "$host"),
  },
  "as documented, under a path": {
    path: "/pets",
    change: (conf) => conf.replace("location /", "location /pets/"),
  },
  "without the Host, under a path that it removes": {
    path: "/pets",
    change: (conf) =>
      conf
        .replace("location /", "location /pets/")
        .replace(HOST, "")
        .replace("127.0.0.1:3000", "127.0.0.1:3000/"),
  },
};
const PUBLIC = "https://pets.example.org";

/** A site, and the nginx in front of it. `isPublic`: visitors know it by https and a name. */
async function openBehind(way: Way, isPublic: boolean, settings: Record<string, string> = {}) {
  const port = await freePort();
  const origin = isPublic ? PUBLIC : `http://127.0.0.1:${port}`;
  const site = await openSite(
    { ...MODERATED, BASE_URL: `${origin}${way.path}`, ...settings },
    way.path,
  );
  const nginx = await startNginx(port, new URL(site.origin).port, way);
  return {
    site,
    origin,
    address: (path: string) => `http://127.0.0.1:${port}${way.path}${path}`,
    async end() {
      await nginx.stop();
      await site.end();
    },
  };
}

async function startNginx(port: number, upstream: string, { change }: Way) {
  const { path: folder, forget } = scratchFolder();
  const server = change(documented)
    .replace("listen 80", `listen 127.0.0.1:${port}`)
    .replace("127.0.0.1:3000", `127.0.0.1:${upstream}`);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${join(folder, kind)};`,
  );
  const conf = join(folder, "nginx.conf");
  await Bun.write(
    conf,
    `daemon off; master_process off; pid ${join(folder, "pid")}; events {} http { access_log off; ${temporary.join(" ")}\n${server}}`,
  );
  const child = Bun.spawn([findProgram(PROGRAMS.nginx), "-e", "stderr", "-c", conf], {
    stdout: "ignore",
    stderr: "pipe",
  });
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/`, { redirect: "manual" }).then(
      () => true,
      () => false,
    );
  await until(async () => child.exitCode !== null || (await answers()));
  if (child.exitCode !== null) throw new Error(await new Response(child.stderr).text());
  return {
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
      forget();
    },
  };
}

/** What browsers send with a form of the page at this origin, by their age, and over plain http. */
const browsers = (origin: string) => ({
  "a new browser": { Origin: origin, "Sec-Fetch-Site": "same-origin" },
  "an old browser, or plain http": { Origin: origin },
  "a new browser, another site": { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" },
  "an old browser, another site": { Origin: "https://evil.example" },
  "an old browser, another port": { Origin: "http://127.0.0.1:9" },
  "an old browser, a sandboxed frame": { Origin: "null" },
});
const OWN_PAGES = ["a new browser", "an old browser, or plain http"];

type Behind = Awaited<ReturnType<typeof openBehind>>;

/** Browsers whose form is taken. */
async function takenFrom(
  { site, origin, address }: Behind,
  path: string,
  fields: Record<string, string> = {},
  more: Record<string, string> = {},
): Promise<string[]> {
  const taken: string[] = [];
  const host = new URL(origin).host;
  for (const [name, headers] of Object.entries(browsers(origin))) {
    const { body, headers: own } = form(fields);
    const { status } = await fetch(address(path), {
      method: "POST",
      headers: { ...own, Host: host, ...more, ...headers },
      body,
      redirect: "manual",
    });
    expect([200, 303, 403]).toContain(status);
    if (status !== 403) taken.push(name);
  }
  expect(site.world.logged).toEqual([]);
  return taken;
}

describe.each(Object.entries(WAYS).map(([name, way], nth) => [name, way, nth % 2 === 1] as const))(
  "behind nginx %s,",
  (_, way, isPublic) => {
    let behind: Behind;
    beforeAll(async () => {
      behind = await openBehind(way, isPublic);
    });
    afterAll(() => behind?.end());
    const pathOf = (link: string) => new URL(link).pathname.slice(way.path.length);

    test("a form is taken from our own pages alone, in old browsers and new ones", async () => {
      const fields = { email: "reader@example.org", lat: "45.77", lng: "4.83", radiusKm: "5" };

      expect(await takenFrom(behind, "/subscribe", fields)).toEqual(OWN_PAGES);
    });

    test("a link of an email works in a browser that names no origin with it", async () => {
      const link = await confirmLink(behind.site.world);

      expect(await takenFrom(behind, `${pathOf(link)}/not-me`)).toEqual([
        ...OWN_PAGES,
        "an old browser, a sandboxed frame",
      ]);
    });

    test("a moderator acts from our own pages alone", async () => {
      // The owner of the test before wants no more emails.
      const alert = await behind.site.world.publish({ email: "other@example.org" });
      const { Cookie } = await signIn(behind.site.world);

      expect(
        await takenFrom(behind, `/admin/alerts/${alert.id}/hide`, {}, { Cookie: Cookie ?? "" }),
      ).toEqual(OWN_PAGES);
    });

    test("a form with a photo of some megabytes arrives, and its answer leads on", async () => {
      const body = new FormData();
      for (const [name, value] of Object.entries({
        type: "lost",
        species: "cat",
        name: "Mina",
        color: "grey tabby",
        place: "Lyon",
        email: LOST_CAT.email,
      }))
        body.append(name, value);
      const photo = await jpeg({ width: 320, height: 200, trailer: Buffer.alloc(3_000_000) });
      body.append("photos", new Blob([photo], { type: "image/jpeg" }), "cat.jpg");
      const answer = await fetch(behind.address("/publish"), {
        method: "POST",
        headers: { Origin: behind.origin, Host: new URL(behind.origin).host },
        body,
        redirect: "manual",
      });

      expect([answer.status, await answer.text()]).toEqual([303, ""]);
      const next = new URL(answer.headers.get("Location") ?? "", behind.origin);
      expect(next.href).toStartWith(`${behind.origin}${way.path}/waiting/`);
      expect((await fetch(behind.address(pathOf(next.href)))).status).toBe(200);
    });
  },
);

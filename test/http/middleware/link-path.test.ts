import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { allLinks } from "../../support/private-links.ts";
import { createWorld, type World } from "../../support/world.ts";

/** What programs leave behind a link, as requests have it. */
const BEHIND = [
  `. ) ] ' ; ? * = : ... ,) !! & + > " / /) %3E %22 %20 %20%20 %0D%0A %C2%A0 %E2%80%8B %E2%80%9D %C2%BB %E2%80%A6`,
  "%E3%80%82 %EF%BC%89 =20 =0D =3D %3D %2C %5D %60 %7D %FF %C2%A0to%20confirm ,thanks )%20or %3Cbr%3E %22%20target= *_",
].flatMap((line) => line.split(" "));
const BEFORE = ["%20", "(", "%22", "%3C", "%E2%80%9C", "%C2%A0"];

const ASKED = {
  type: "lost",
  species: "dog",
  color: "black",
  place: "Lyon",
  email: "anna@example.org",
};

let world: World;
let links: Readonly<Record<string, string>>;
let code: string;
beforeAll(async () => {
  world = await createWorld();
  const { alert, ...secret } = await allLinks(world);
  code = alert.short_code;
  const notMe = `${secret.waiting}/not-me`;
  const [poster, short] = [`${alert.url}/poster`, `/a/${code}`];
  const ticket = (await world.post("/publish", ASKED)).headers.get("Location") ?? "";
  const pages = { notMe, alert: alert.url, contact: alert.contact_url, poster, short, ticket };
  links = { ...secret, ...pages };
});
afterAll(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

/** Status, and the title or the address that a redirect leads to. */
async function answerTo(path: string) {
  const answer = await world.fetch(path);
  const [title] = /<title>.*?<\/title>/.exec(await answer.text()) ?? [];
  return { path, status: answer.status, to: answer.headers.get("Location"), title };
}

describe("a link out of a text", () => {
  test("answers its page, whatever a program has left behind it", async () => {
    for (const link of Object.values(links)) {
      const { path: _path, ...expected } = await answerTo(link);
      expect(expected.status).toBeOneOf([200, 302]);
      for (const behind of BEHIND)
        expect(await answerTo(link + behind)).toEqual({ path: link + behind, ...expected });
    }
  });

  test("answers its page with signs before its last part", async () => {
    const { notMe: _notMe, contact: _contact, poster: _poster, ...plain } = links;
    for (const link of Object.values(plain)) {
      const { path: _path, ...expected } = await answerTo(link);
      const end = link.lastIndexOf("/") + 1;
      for (const before of BEFORE) {
        const path = `${link.slice(0, end)}${before}${link.slice(end)}%22`;
        expect(await answerTo(path)).toEqual({ path, ...expected });
      }
    }
  });

  test("answers its page though a line of it was broken", async () => {
    const { manage = "" } = links;
    const at = manage.length - 20;
    for (const breaks of ["=", "=%20", "%20", "%20%20", "=%0D%0A", "%0A%20"]) {
      const answer = await answerTo(`${manage.slice(0, at)}${breaks}${manage.slice(at)}.`);
      expect(answer.status).toBe(200);
    }
  });

  test("leads to other pages as well", async () => {
    for (const page of ["/", "/publish", "/about"]) {
      const { path: _path, ...expected } = await answerTo(page);
      for (const behind of BEHIND.filter((one) => !one.startsWith("/")))
        expect(await answerTo(page + behind)).toEqual({ path: page + behind, ...expected });
    }
  });

  test("leads to a search", async () => {
    const search = "/?lat=45.77&lng=4.83&radius_km=10";
    for (const behind of BEHIND.filter((one) => !/^[&=+]/.test(one)))
      expect(await answerTo(search + behind)).toMatchObject({ status: 200 });
  });

  test("has forms that work", async () => {
    const answer = await world.fetch(`${links["waiting"]}).`);
    expect(await answer.text()).toContain(`action="${new URL(links["waiting"] ?? "").pathname}"`);
    expect((await world.post(`${links["unsubscribe"]},`)).status).toBeLessThan(400);
  });
});

describe("a short code", () => {
  test("is read in any case, in halves, and with spaces around it", async () => {
    const { to } = await answerTo(`/a/${code}`);
    const [left, right] = [code.slice(0, 3), code.slice(3)];
    const lower = code.toLowerCase();
    for (const written of [
      lower,
      `${left}-${right}`,
      `${left}%20${right}`,
      `%20${lower}%20`,
      `${lower}.`,
    ])
      expect((await answerTo(`/a/${written}`)).to).toBe(to);
    expect((await answerTo(`/A/${code}`)).to).toBe(to);
    for (const written of [
      lower,
      ` ${left}-${right} `,
      `(${code}).`,
      `<http://localhost:3000/a/${code}>`,
    ])
      expect(await world.tool("get_alert", { alert: written })).toMatchObject({
        alert: { short_code: code },
      });
  });

  test("with a letter too many is unknown", async () => {
    expect((await answerTo(`/a/${code}A`)).status).toBe(404);
    expect((await answerTo(`/a/${code.slice(1)}`)).status).toBe(404);
  });
});

describe("a path that is no page", () => {
  test("is not that of the metrics, which proxies refuse by their path", async () => {
    const open = await createWorld({ METRICS_PUBLIC: "on" });
    expect((await open.fetch("/metrics")).status).toBe(200);
    for (const behind of [")", ".", "%20", ";x.css"])
      expect((await open.fetch(`/metrics${behind}`)).status).toBe(404);
    await open.end();
  });

  test("stays unknown, and a damaged token opens nothing", async () => {
    const { manage = "" } = links;
    for (const path of [
      "/nothing.",
      "/alerts/)",
      "/confirm/)",
      manage.slice(0, -1),
      `${manage.slice(0, -1)}.`,
    ])
      expect((await answerTo(path)).status).toBe(404);
    expect((await world.fetch(`/api/v1/alerts/${code})`)).status).toBeOneOf([200, 404]);
  });
});

test("a trailing slash is the same address", async () => {
  const list = await world.text("/api/v1/alerts");

  expect(await world.text("/api/v1/alerts/")).toBe(list);
  for (const path of [`/api/v1/alerts/${code}/`, "/about/", `${links["alert"]}/`, "/llms.txt/"])
    expect((await world.fetch(path)).status).toBe(200);
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
  const headers = { "Content-Type": "application/json" };
  const answer = await world.fetch("/api/mcp/", { method: "POST", body, headers });
  expect(await answer.json()).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
});

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createLinks } from "../../../src/core/urls.ts";
import { holdsToken } from "../../../src/http/web/layout/form-origin.ts";
import { without } from "../../chaos/weakened.ts";
import { MODERATED, signIn } from "../../support/moderators.ts";
import { MANAGER, nameShelter, signInMember } from "../../support/organisations.ts";
import { confirmLink } from "../../support/private-links.ts";
import { BASE_URL, createWorld, LOST_CAT, type World } from "../../support/world.ts";

type Headers = Readonly<Record<string, string>>;

const OURS = "http://localhost:3000";
/** What browsers send with a form, by where the form stands and what its page's Referrer-Policy is. */
const BROWSERS = {
  "a new browser, our page": { "Sec-Fetch-Site": "same-origin", Origin: OURS },
  "a new browser, our page with a token": { "Sec-Fetch-Site": "same-origin", Origin: "null" },
  "a new browser, a reload": { "Sec-Fetch-Site": "none" },
  "a new browser, another site": { "Sec-Fetch-Site": "cross-site", Origin: "https://evil.example" },
  "a new browser, a subdomain": {
    "Sec-Fetch-Site": "same-site",
    Origin: "http://evil.localhost:3000",
  },
  "a new browser, a sandboxed frame": { "Sec-Fetch-Site": "cross-site", Origin: "null" },
  "plain http or an old browser, our page": { Origin: OURS },
  "plain http or an old browser, our page with a token": { Origin: "null" },
  "plain http or an old browser, a sandboxed frame": { Origin: "null" },
  "plain http or an old browser, another site's redirect": { Origin: "null" },
  "plain http or an old browser, another site": { Origin: "https://evil.example" },
  "plain http or an old browser, another port": { Origin: "http://localhost:8080" },
  "an old browser, a file": { Origin: "file://" },
  "a program, or a browser from before 2020": {},
} as const satisfies Readonly<Record<string, Headers>>;
type Browser = keyof typeof BROWSERS;

const OWN_PAGES: readonly Browser[] = [
  "a new browser, our page",
  "a new browser, our page with a token",
  "a new browser, a reload",
  "plain http or an old browser, our page",
];
const NO_EVIDENCE = "a program, or a browser from before 2020";
const NULL_ORIGIN: readonly Browser[] = [
  "plain http or an old browser, our page with a token",
  "plain http or an old browser, a sandboxed frame",
  "plain http or an old browser, another site's redirect",
];

let world: World;
beforeEach(async () => {
  world = await createWorld({ ...MODERATED, LIMIT_SUBSCRIBE: "off" });
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

/** The browsers whose form is taken. */
async function takenFrom(send: (headers: Headers) => Promise<Response>): Promise<string[]> {
  const taken: string[] = [];
  for (const [name, headers] of Object.entries(BROWSERS)) {
    const { status } = await send(headers);
    expect([303, 200, 403]).toContain(status);
    if (status !== 403) taken.push(name);
  }
  return taken.sort();
}

function subscribe(to: World, headers: Headers): Promise<Response> {
  const email = "reader@example.org";
  return to.post("/subscribe", { lat: "45.77", lng: "4.83", radiusKm: "5", email }, headers);
}

describe("a form is taken", () => {
  test("at an address without a token from our own pages and from programs", async () => {
    const taken = await takenFrom((headers) => subscribe(world, headers));

    expect(taken).toEqual([...OWN_PAGES, NO_EVIDENCE].sort());
  });

  test("at an address with a token, which is the right to act, also without an origin", async () => {
    const link = await confirmLink(world);

    const taken = await takenFrom((headers) => world.post(`${link}/not-me`, {}, headers));

    expect(taken).toEqual([...OWN_PAGES, NO_EVIDENCE, ...NULL_ORIGIN].sort());
  });

  test("on the right of a moderator's cookie from our own pages alone", async () => {
    const alert = await world.publish();
    const { Cookie } = await signIn(world);

    const taken = await takenFrom((headers) =>
      world.post(`/admin/alerts/${alert.id}/hide`, {}, { Cookie, ...headers }),
    );

    expect(taken).toEqual([...OWN_PAGES].sort());
  });
});

test("pages whose address holds no token let the browser name our origin, all others send none", async () => {
  const alert = await world.publish();
  const { Cookie } = await signIn(world);
  const policy = async (path: string, init: RequestInit = {}) =>
    (await world.fetch(path, { headers: { Cookie }, ...init })).headers.get("Referrer-Policy");

  for (const path of ["/publish", "/subscribe", "/manage", "/erase", "/admin", alert.contact_url])
    expect([path, await policy(path)]).toEqual([path, "same-origin"]);
  // The form that comes back with what was wrong with it is sent once more.
  const refused = await world.post("/publish", { email: LOST_CAT.email });
  expect([refused.status, refused.headers.get("Referrer-Policy")]).toEqual([400, "same-origin"]);
  const manage = await world.linkTo(LOST_CAT.email, "/manage/");
  expect(await policy(manage)).toBe("no-referrer");
  expect(await policy(`${manage}/edit`)).toBe("no-referrer");
  expect(await policy("/manage/unknown/elsewhere")).toBe("no-referrer");
  expect(await policy("/erase/%0A/not-me")).toBe("no-referrer");
});

test("every address that holds a token is known as one", () => {
  const links = createLinks(BASE_URL);
  /** The route of an address. */
  const routeOf = (url: string) => {
    const { pathname } = new URL(url);
    const found = world.app.routes.find(({ path }) =>
      new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`).test(pathname),
    );
    return found?.path ?? `no route of ${url}`;
  };

  for (const link of [
    links.waiting("t"),
    links.adminEntry("t"),
    links.inboxEntry("t"),
    links.confirm("t"),
    links.notMe("t"),
    links.erase("t"),
    links.eraseNotMe("t"),
    links.manage("t"),
    links.conversation("t"),
    links.pair("t"),
    links.unsubscribe("t"),
  ])
    expect([link, holdsToken(routeOf(link))]).toEqual([link, true]);
  for (const link of [
    links.requestManageLinks,
    links.requestErasure,
    links.admin,
    links.publish,
    links.home,
  ])
    expect([link, holdsToken(routeOf(link))]).toEqual([link, false]);
});

describe("every form of a session", () => {
  /** Forms below the addresses that get a session's cookie, without those that open a session. */
  const formsOf = (home: string) => {
    const opening = [`${home}/sign-in`, `${home}/enter/:token`];
    const forms = world.app.routes.filter(({ method, path }) => {
      const isBelow = path === home || path.startsWith(`${home}/`);
      return isBelow && method === "POST" && !opening.includes(path);
    });
    return [...new Set(forms.map(({ path }) => path.replaceAll(/:\w+/g, "x")))];
  };
  const others = Object.entries(BROWSERS).filter(
    ([name]) => !OWN_PAGES.some((own) => own === name),
  );

  test("takes nothing from other sites, nor without saying where it comes from", async () => {
    await nameShelter(world);
    const sessions = {
      "/admin": await signIn(world),
      "/inbox": await signInMember(world, MANAGER),
    };

    for (const [home, { Cookie }] of Object.entries(sessions)) {
      const forms = formsOf(home);
      expect(forms).toContain(home === "/admin" ? "/admin/sign-out" : "/inbox/leave");
      for (const path of forms)
        for (const [browser, headers] of others) {
          const answer = await world.post(path, {}, { Cookie, ...headers });
          expect([path, browser, answer.status]).toEqual([path, browser, 403]);
          expect(await answer.text()).toContain("This form was sent from another site.");
        }
      // Nothing has ended the session.
      expect(await world.text(home, { Cookie })).toContain("Sign out");
    }
  });

  test("shows the sign-in page without a session, and with one that has ended", async () => {
    await nameShelter(world);
    for (const home of ["/admin", "/inbox"])
      for (const path of formsOf(home)) {
        const answer = await world.post(path, {}, BROWSERS["a new browser, our page"]);
        expect([path, answer.status]).toEqual([path, 403]);
        expect(await answer.text()).toContain(`action="${home}/sign-in"`);
      }
  });
});

test("without the look at where a form comes from every sandboxed frame subscribes its visitors", async () => {
  const trusting = {
    module: "src/http/web/layout/form-origin.ts",
    name: "refuseOtherSites",
    instead: "() => {}",
  };

  const status = await without([trusting], async (copy) => {
    const weak = await (await copy.worlds()).createWorld();
    const answer = await subscribe(
      weak,
      BROWSERS["plain http or an old browser, a sandboxed frame"],
    );
    await weak.end();
    return answer.status;
  });

  expect(status).toBe(303);
});

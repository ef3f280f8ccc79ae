import { afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { PAGE_MESSAGES } from "../../../src/messages/messages.ts";
import { scratchFolder } from "../../support/process.ts";
import { createWorld, type World } from "../../support/world.ts";
import { readConfig } from "../../../src/settings/config.ts";

const PAGES = ["imprint", "privacy", "terms"] as const;
const OPERATOR = {
  OPERATOR_NAME: "Refuge <b>des Monts</b> d’Or",
  OPERATOR_CONTACT: "contact+site@refuge.example",
  OPERATOR_ADDRESS: "1 rue du Parc, 69450 Saint-Cyr-au-Mont-d’Or, France",
};

let world: World;
afterEach(async () => {
  await world.end();
});

async function page(path: string, settings: Record<string, string> = {}): Promise<string> {
  world = await createWorld(settings);
  return (await world.text(path)).replaceAll("&quot;", '"');
}

describe("the imprint and the privacy page", () => {
  test.each(["/imprint", "/privacy"])(
    "%s names the operator with the postal address and the contact",
    async (path) => {
      const text = await page(path, OPERATOR);

      expect(text).toContain("Refuge &lt;b&gt;des Monts&lt;/b&gt; d’Or");
      expect(text).toContain("1 rue du Parc, 69450");
      expect(text).toContain(
        '<a href="mailto:contact+site@refuge.example">contact+site@refuge.example</a>',
      );
      expect(text).not.toContain(PAGE_MESSAGES.en.operator.nobody);
    },
  );

  test.each(["/imprint", "/privacy"])("%s says plainly that nobody is named", async (path) => {
    expect(await page(path)).toContain(PAGE_MESSAGES.en.operator.nobody);
  });

  test("are public, linked on every page with the terms, and listed in the sitemap", async () => {
    world = await createWorld({ UNREVIEWED_LANGUAGES: "ar" });
    const sitemap = await world.text("/sitemaps/pages.xml");
    for (const name of PAGES) {
      const answer = await world.fetch(`/${name}`);
      expect([answer.status, answer.headers.get("X-Robots-Tag")]).toEqual([200, null]);
      expect(await answer.text()).toContain(`<h1>${PAGE_MESSAGES.en[name].title}</h1>`);
      expect(sitemap).toContain(`<loc>http://localhost:3000/${name}</loc>`);
      for (const path of ["/", "/publish", "/nowhere", "/api/docs"])
        expect(await world.text(path)).toContain(
          `<a href="/${name}">${PAGE_MESSAGES.en.layout[name]}</a>`,
        );
      expect(await world.text("/?lang=ar")).toContain(`<a href="/${name}">`);
    }
  });
});

describe("the privacy page", () => {
  test("tells how long things are kept, as the service keeps them", async () => {
    const text = await page("/privacy");

    expect(text).toContain("never store the exact position");
    expect(text).toContain("works for 48 hours");
    expect(text).toContain("45 days for a lost dog, 90 for a lost cat, 60 for any other");
    expect(text).toContain("and 30 for a found animal");
    expect(text).toContain("all messages and all sightings are erased 30 days after");
    expect(text).toContain("the language you chose for 365 days");
  });

  test("tells where things lie, what backups are kept and how to have all of it erased", async () => {
    const text = await page("/privacy", { BACKUP_KEEP: "5" });
    await world.end();
    const without = await page("/privacy", { BACKUP_KEEP: "off" });

    expect(text).toContain("in one folder on the server of the people who run this site");
    expect(text).toContain("backed up daily, and the last 5 backups are kept");
    expect(text).toContain("keyed fingerprint of erased data for 400 days");
    expect(text).toContain('<a href="/erase">');
    expect(without).toContain("makes no backups of its own");
  });

  test("names as recipients only those that the settings give data to", async () => {
    const { mail, noMail, bounces, proxy, moderators } = PAGE_MESSAGES.en.privacy;
    const bare = await page("/privacy");
    await world.end();
    const full = await page("/privacy", {
      SMTP_URL: "smtp://127.0.0.1:1",
      BOUNCE_ADDRESS: "bounces@pets.example.org",
      IMAP_URL: "imaps://me:hunter2@mail.example.org/INBOX",
      TRUST_PROXY: "1",
      ADMIN_EMAILS: "mod@example.org",
    });

    expect(bare).toContain(noMail);
    for (const other of [mail, bounces, proxy, moderators]) expect(bare).not.toContain(other);
    expect(full).not.toContain(noMail);
    for (const other of [mail, bounces, proxy, moderators]) expect(full).toContain(other);
    expect(full).not.toMatch(/hunter2|mod@example|mail\.example\.org/);
  });
});

test("the terms say who removes what, with moderators and without", async () => {
  const { moderated, unmoderated } = PAGE_MESSAGES.en.terms;
  const without = await page("/terms");
  await world.end();
  const text = await page("/terms", { ADMIN_EMAILS: "mod@example.org" });

  expect(without).toContain(unmoderated);
  expect(text).toContain(moderated);
  expect(text).not.toContain(unmoderated);
});

describe("the operator's own texts", () => {
  async function withFile(text: string | Uint8Array): Promise<{ end: () => void }> {
    const folder = scratchFolder();
    const file = join(folder.path, "legal.txt");
    await Bun.write(file, text);
    const end = () => folder.forget();
    try {
      world = await createWorld({ LEGAL_FILE: file });
    } catch (error) {
      end();
      throw error;
    }
    return { end };
  }

  test("are on their pages, escaped, in their language, with working links", async () => {
    const { end } = await withFile(
      "# Privacy de\nHoster: <i>https://host.example/a?b=1&c=2</i>.\n\n# Terms\n## Law\n- javascript:alert(1)\n- French law",
    );

    const privacy = await world.text("/privacy?lang=fr");
    const terms = await world.text("/terms");

    expect(privacy).toContain(
      `>${PAGE_MESSAGES.fr.operator.additions}</h2><div lang="de" dir="auto">`,
    );
    expect(privacy).toContain(
      '<p class="text">Hoster: &lt;i&gt;<a href="https://host.example/a?b=1&amp;c=2">https://host.example/a?b=1&amp;c=2</a>&lt;/i&gt;.</p>',
    );
    expect(terms).toContain("<h3>Law</h3><ul><li>javascript:alert(1)</li><li>French law</li></ul>");
    expect(await world.text("/imprint")).not.toContain(PAGE_MESSAGES.en.operator.additions);
    end();
  });

  test.each([
    ["no titles", "must begin with"],
    [`# Terms\n${"x".repeat(64 * 1024)}`, "more than 64 KB"],
    [new Uint8Array([0x23, 0x20, 0xff, 0xfe]), "UTF-8"],
  ])("that cannot be used stop the start with a sentence", async (text, words) => {
    world = await createWorld();
    expect(withFile(text)).rejects.toThrow(words);
  });
});

describe("security.txt", () => {
  const get = () => world.fetch("/.well-known/security.txt");

  test("says whom to tell, in which languages, until when, and where it lies", async () => {
    world = await createWorld({ ...OPERATOR, BASE_URL: "https://pets.example" });

    const answer = await get();
    const text = await answer.text();
    const fields = Object.fromEntries(
      text
        .trimEnd()
        .split("\n")
        .map((line) => line.split(/: (.*)/) as [string, string]),
    );

    expect(answer.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
    expect(fields).toEqual({
      Contact: "mailto:contact+site@refuge.example",
      Expires: expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00\.000Z$/),
      "Preferred-Languages": "en, fr, es, de",
      Canonical: "https://pets.example/.well-known/security.txt",
    });
  });

  test("is not there without a contact", async () => {
    world = await createWorld({ OPERATOR_NAME: "Refuge" });

    expect((await get()).status).toBe(404);
    expect(await world.text("/imprint")).not.toContain("security.txt");
  });
});

test("every email names the operator and the contact, in the text and in the HTML", async () => {
  world = await createWorld(OPERATOR);
  await world.publish({ email: "anna@example.org" });
  await world.tool("subscribe_zone", { lat: 1, lng: 1, email: "anna@example.org" });

  const emails = await world.emails("anna@example.org");

  expect(emails.length).toBeGreaterThan(2);
  for (const { text = "", html = "" } of emails) {
    expect(text.replaceAll("\n", " ")).toContain(
      "Responsible for this service: Refuge <b>des Monts</b> d’Or contact+site@refuge.example ",
    );
    expect(html).toContain("Refuge &lt;b&gt;des Monts&lt;/b&gt; d’Or");
    expect(html).toContain('<a href="mailto:contact+site@refuge.example"');
  }
});

describe("the page about the service", () => {
  test("tells the limits that are in force here", async () => {
    const text = await page("/about", {
      LIMIT_PUBLISH: "7/h",
      LIMIT_MESSAGE: "3/m",
      LIMIT_SUBSCRIBE: "off",
      LIMIT_READ: "90/m",
    });

    expect(text).toContain("<li>7 alerts an hour</li>");
    expect(text).toContain("<li>3 messages a minute</li>");
    expect(text).toContain("<li>as many subscriptions as you like</li>");
    expect(text).toContain("<li>90 pages and requests a minute</li>");
  });

  test("leads to each of its parts, to the pages about privacy, and to its sources", async () => {
    const text = await page("/about");
    const inner = [...text.matchAll(/href="#([\w-]+)"/g)].map(([, id]) => id!);

    expect(inner).toEqual(expect.arrayContaining(["cat", "dog", "found", "privacy", "assistants"]));
    for (const id of inner) expect(text).toContain(`id="${id}"`);
    for (const path of ["/privacy", "/terms", "/imprint", "/erase", "https://www.geonames.org/"])
      expect(text).toContain(`href="${path}"`);
    expect(text).toContain('href="https://doi.org/10.3390/ani8010005"');
    expect(text).toContain("If you see your dog, don’t run after it.");
  });

  test("gives assistants what they take", async () => {
    const text = await page("/about", { BASE_URL: "https://pets.example" });
    const mcp = "https://pets.example/api/mcp";
    const configs = [...text.matchAll(/<code>(\{.*?\})<\/code>/gs)].map(([, json]) =>
      JSON.parse(json!),
    );

    expect(text).toContain(`claude mcp add --transport http pet-alert ${mcp}`);
    expect(configs).toEqual([
      { mcpServers: { "pet-alert": { url: mcp } } },
      { servers: { "pet-alert": { type: "http", url: mcp } } },
    ]);
  });
});

describe("the colour and the logo of an instance", () => {
  test("are on its pages", async () => {
    const folder = scratchFolder();
    const logo = join(folder.path, "logo.svg");
    await Bun.write(logo, '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>');
    world = await createWorld({ ACCENT_COLOR: "#7A1FA2", LOGO_FILE: logo });

    const home = await world.text("/");
    const style = /href="(\/theme\.css[^"]*)"/.exec(home)![1]!;
    const picture = await world.fetch(/src="(\/logo[^"]*)"/.exec(home)![1]!);

    expect(await world.text(style)).toContain("--accent:#7a1fa2");
    expect(picture.headers.get("Content-Type")).toBe("image/svg+xml");
    expect(picture.headers.get("Content-Security-Policy")).toContain("sandbox");
    folder.forget();
  });

  test("that make no sense are refused in a sentence", async () => {
    world = await createWorld();
    for (const color of ["green", "#ffffff", "red;}"])
      expect(() => readConfig({ ACCENT_COLOR: color })).toThrow(/^The setting ACCENT_COLOR/);
    for (const file of ["/nowhere/logo.png", "/etc/hostname"])
      await expect(createWorld({ LOGO_FILE: file })).rejects.toThrow(/^The setting LOGO_FILE/);
  });
});

import { expect, test } from "bun:test";
import tlds from "tlds";
import { MINUTE } from "../support/time.ts";
import { BASE_URL, createWorld, type World } from "../support/world.ts";

/** Ways to send a reader elsewhere. */
const LINKS = [
  "petclinic-verify.cfd/claim",
  "forms.gle/AbC123",
  "g.page/petclinic",
  "share.google/AbC123",
  "Petclinic.Help/claim",
  "PETCLINIC.VIP/CLAIM",
  "petclinic.ovh",
  "petclinic.Support",
  "www.petclinic.example",
  "hxxps://petclinic.cfd/x",
  "https://petclinic.example/x",
  "petclinic.cfd:8443/x",
  "user:pass@petclinic.cfd/x",
  "petclinic.рф/x",
  "petclinic.xn--p1ai/x",
  "petclinic。cfd/x",
  "petclinic．cfd／x",
  "petclinic․cfd/x",
  "pet\u200bclinic.\u200bcfd/x",
  "ｐｅｔ.ｃｆｄ/x",
  "45.77.12.9/claim",
  "anna@petclinic.cfd",
  "javascript:alert`1`",
  "sms:55555",
];
/** Accounts to pay to, and names on other services: what must not arrive, beside how it is written. */
const ACCOUNTS: Readonly<Record<string, string>> = {
  "DE89 3704 0044 0532 0130 00": "3704",
  "gmail: anna.smith": "anna.smith",
  "insta annasmith": "annasmith",
  "telegram @x77": "x77",
};
const TRICKS = [...LINKS, ...Object.keys(ACCOUNTS)];
/** Honest words beside the tricks. */
const HONEST = "Seen near Main St. at 5.30 pm, chip 985112345678901.";

const NAMES = [
  "Vet.Clinic24.ovh",
  "paypal-verify.com",
  "Pet . Alert . support",
  "@pet_alert",
  "Anna 06123",
];

type Harm = Readonly<Record<string, readonly string[]>>;

test("nothing a stranger writes arrives as a link or an account to pay to", async () => {
  const { harm, honest } = await attack();

  expect(harm).toEqual({ alert: [], api: [], message: [], reply: [], note: [], label: [] });
  expect(honest).toEqual([true, true, true]);
});

test("no sender's name carries a domain, an account or a number into an email", async () => {
  expect(await namesThatArrive()).toEqual(["J. R. Müller", "Dr. O'Neil", "Anna-Maria"]);
});

/** Writes every trick into every text that others get to read, and tells what arrived where. */
async function attack(): Promise<{ harm: Harm; honest: readonly boolean[] }> {
  const world = await createWorld({
    LIMIT_MESSAGE: "off",
    LIMIT_SUBSCRIBE: "off",
    LIMIT_PUBLISH: "off",
  });
  const all = [HONEST, ...TRICKS].join("\n");
  const labels = ["petclinic-verify.cfd/claim", "Vet.Clinic24.ovh", "DE89 3704 0044 0532 0130 00"];
  for (const [number, label] of labels.entries()) {
    const email = `zone-${number}@example.org`;
    await world.tool("subscribe_zone", { lat: 45.7741, lng: 4.8321, email, label });
    await world.confirm(email);
  }
  const alert = await world.publish({
    description: all,
    name: "Vet.Clinic24.ovh",
    breed: "petclinic-verify.cfd/claim",
    color: "grey, DE89 3704 0044 0532 0130 00",
    city: "forms.gle/AbC123",
  });

  const note = (part: readonly string[]) => part.join("\n").slice(0, 500);
  for (const [number, part] of [TRICKS.slice(0, 16), TRICKS.slice(16)].entries()) {
    const email = `passer-${number}@example.net`;
    await world.post(`/alerts/${alert.slug}/sighting`, {
      lat: "45.76",
      lng: "4.84",
      email,
      note: note(part),
    });
    await world.confirm(email);
  }
  await world.tool("send_message", {
    alert: alert.slug,
    message: all,
    email: "finder@example.net",
  });
  await world.confirm("finder@example.net");
  await world.post(await world.linkTo("owner@example.org", "/conversation/"), { message: all });

  // News of a zone is gathered for the better part of a minute.
  await world.pass(MINUTE);
  const toOwner = await world.emails("owner@example.org");
  const textOf = async (to: string, about: RegExp) =>
    (await world.emails(to))
      .filter(({ text }) => about.test(text ?? ""))
      .map(readable)
      .join("\n");
  const message = await textOf("owner@example.org", /\/conversation\//);
  const page = visible(await world.text(`/alerts/${alert.slug}`));
  const emails = await Promise.all(labels.map((_, at) => world.emails(`zone-${at}@example.org`)));
  const harm = {
    alert: found(page),
    api: found(
      JSON.stringify(await world.json(`/api/v1/alerts/${alert.slug}`))
        .replaceAll("\\n", "\n")
        .replaceAll(BASE_URL, ""),
    ),
    message: found(message),
    reply: found(await textOf("finder@example.net", /\/conversation\//)),
    note: found(
      toOwner
        .filter(({ subject }) => subject?.startsWith("Seen:"))
        .map(readable)
        .join("\n"),
    ),
    label: found(emails.flat().map(readable).join("\n")),
  };
  const kept = (text: string) => /Main St\. at 5\.30 pm, chip 985112345678901/.test(text);
  await world.end();
  return { harm, honest: [kept(page), kept(message), emails.every((to) => to.length > 1)] };
}

/** Which names the owner reads in emails about messages, in the order they were sent. */
async function namesThatArrive(): Promise<string[]> {
  const world = await createWorld({ LIMIT_MESSAGE: "off", LIMIT_PUBLISH: "off" });
  const names = [...NAMES, "J. R. Müller", "Dr. O'Neil", "Anna-Maria"];
  const arrived: string[] = [];
  for (const [number, name] of names.entries()) {
    const owner = `owner-${number}@example.org`;
    const email = `sender-${number}@example.net`;
    const alert = await world.publish({ email: owner, lat: 10 + number });
    await world.tool("send_message", { alert: alert.slug, message: "I saw it", email, name });
    await world.confirm(email);
    const received = (await world.emails(owner)).at(-1);
    if (readable(received).includes(name)) arrived.push(name);
  }
  await world.end();
  return arrived;
}

type Email = Awaited<ReturnType<World["emails"]>>[number];

/** What a reader of an email sees, its subject and links included, without the addresses that are ours. */
function readable(email: Email | undefined): string {
  const html = email?.html ?? "";
  return [email?.subject ?? "", email?.text ?? "", visible(html), ...hrefs(html)]
    .join("\n")
    .replaceAll(BASE_URL, "");
}

function visible(html: string): string {
  return html
    .replace(/<(style|script|head)\b.*?<\/\1>/gs, "")
    .replace(/<br ?\/?>|<\/(?:p|td|div|li|h\d|dd|dt)>/g, "\n")
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .replaceAll(BASE_URL, "");
}

function hrefs(html: string): string[] {
  return Array.from(html.matchAll(/href="([^"]*)"/g), (match) =>
    match[1]!.replaceAll(BASE_URL, ""),
  );
}

/**
 * What a mail program or browser would make a link of, and accounts: by a pattern of this test's own. A program reads
 * full-width letters and the full stops of other scripts as plain ones, and leaves invisible characters out.
 */
function found(text: string): string[] {
  const plain = text
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replaceAll("。", ".");
  const accounts = Object.values(ACCOUNTS).filter((account) => plain.includes(account));
  return [...Array.from(plain.matchAll(CLICKABLE), ([link]) => link), ...accounts];
}

const OURS = "(?!example\\.(?:org|net)|localhost)";
const CLICKABLE = new RegExp(
  [
    "\\b(?:https?|hxxps?|javascript|data|ftp):\\S+",
    "\\b(?:sms|tel):\\+?\\d+",
    "\\bwww\\.\\S+",
    "(?<![\\d.])(?:\\d{1,3}\\.){3}\\d{1,3}(?:[/:]\\S*)?",
    `(?<![\\p{L}\\p{N}@.-])${OURS}[\\p{L}\\p{N}][\\p{L}\\p{N}-]*(?:\\.[\\p{L}\\p{N}-]+)*\\.(?:${tlds.join("|")}|xn--[a-z0-9-]+)(?![\\p{L}\\p{N}-])`,
  ].join("|"),
  "giu",
);

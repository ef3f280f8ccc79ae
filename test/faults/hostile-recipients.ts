import { mailbox } from "../../src/core/input.ts";
import { WAYS } from "./asks.ts";
import { lostDog, press, tool } from "./doors.ts";
import { type Bite, biteOf, type Fault } from "./fault.ts";
import { createMailServer } from "./mail-server.ts";
import { openPostOffice, REAL, type Starter, starterOf } from "./post-office.ts";
import { without } from "./weakened.ts";

const VICTIM = "victim@example.net";
const A = "asker@example.org";

/** Lists, headers, routes, quotes, comments, other alphabets: what has made a mail program write to somebody else. */
const STRINGS: readonly string[] = [
  ...[
    ", ",
    ",",
    "; ",
    ";",
    " ",
    "\t",
    "\n",
    "\r\n",
    "\u00a0",
    "\u2028",
    "%20",
    "\u0000",
    "|",
    "&",
  ].map((between) => A + between + VICTIM),
  `${A}\r\nBcc: ${VICTIM}`,
  `${A}\nCc: ${VICTIM}`,
  `${A}%0d%0aBcc:${VICTIM}`,
  `${A}>\r\nRCPT TO:<${VICTIM}`,
  `${A}> <${VICTIM}`,
  `<${A}>,<${VICTIM}>`,
  `<${A}>`,
  `Asker <${A}>`,
  `"${VICTIM}" <${A}>`,
  `${VICTIM} <${A}>`,
  `"${A}, x" <${VICTIM}>`,
  `Friends: ${A}, ${VICTIM};`,
  `undisclosed-recipients:;`,
  `mailto:${A}`,
  `mailto:${A}?cc=${VICTIM}`,
  `${A}?bcc=${VICTIM}`,
  `${A}(${VICTIM})`,
  `asker(comment)@example.org`,
  `asker@(comment)example.org`,
  `"asker"@example.org`,
  `"as ker"@example.org`,
  `"asker@example.org"@example.net`,
  `victim%example.net@example.org`,
  `example.net!victim@example.org`,
  `@example.net:${A}`,
  `@example.net,@example.com:${A}`,
  `asker@example.net@example.org`,
  `asker@@example.org`,
  `asker@[127.0.0.1]`,
  `asker@[IPv6:::1]`,
  `asker@127.0.0.1`,
  `asker@localhost`,
  `asker@example`,
  `asker@example.org.`,
  `asker@.example.org`,
  `asker@example..org`,
  `.asker@example.org`,
  `asker.@example.org`,
  `as..ker@example.org`,
  `asker@-example.org`,
  `asker@example.org/..`,
  `asker@example.org#`,
  `asker@example.org:25`,
  `asker@user@example.org`,
  `asker@ex ample.org`,
  `asker@exa\u200bmple.org`,
  `asker@exam\u00adple.org`,
  `as\u200bker@example.org`,
  `\u202easker@example.org`,
  `\ufeff${A}`,
  `asker@\uff45xample.org`,
  `asker\uff20example.org`,
  `asker\ufe6bexample.org`,
  `asker@example\u3002org`,
  `asker@b\u00fccher.example`,
  `\u0430sker@example.org`,
  `${A}\u0000.example.net`,
  `*@example.org`,
  `/etc/passwd`,
  `|/bin/sh`,
  `-oQ/tmp/x@example.org`,
  `--help@example.org`,
  `=?utf-8?q?victim=40example.net?=@example.org`,
  `=?utf-8?q?asker=40example.org=2C_victim=40example.net?=`,
  `asker+${"x".repeat(60)}@example.org`,
  `${"x".repeat(65)}@example.org`,
  `asker@${"x".repeat(64)}.org`,
  `asker@${"x.".repeat(130)}org`,
  "",
  " ",
  "@",
  "nobody",
  "__proto__@example.org",
  "constructor",
  "o'neil@example.org",
  "`id`@example.org",
  "$(id)@example.org",
  "{{7*7}}@example.org",
  "a@b.co",
];

export const hostileRecipients: Fault = {
  name: "hostile recipients",
  promise: "Whatever stands in an address field, one mailbox gets one letter, or none does",
  async run(say) {
    const { failures, reached } = await writeTo(REAL);
    say(`${STRINGS.length} strings reached ${reached} mailboxes`);
    return {
      tried: `${STRINGS.length} strings by ${WAYS.length} ways in`,
      lost: `${failures.length} reached somebody else`,
      failures: [...failures, ...(reached === 0 ? ["no letter went out: nothing was tried"] : [])],
      bites: [await withoutChecks()],
    };
  },
};

/** A mail library reads a text as a list of addresses; what stands before it lets one through. */
async function withoutChecks(): Promise<Bite> {
  const trusting = [
    {
      file: "src/core/input.ts",
      piece: "export function mailbox(text: string): string | null {",
      instead:
        'export function mailbox(text: string): string | null {\n  if (text.includes("@")) return text;',
    },
    {
      file: "src/mail/message.ts",
      piece: 'to: { name: "", address: envelope.to },\n    replyTo',
      instead: "to: envelope.to,\n    replyTo",
    },
    {
      file: "src/mail/message.ts",
      piece: '      to: { name: "", address: envelope.to },\n    },',
      instead: "      to: envelope.to,\n    },",
    },
  ];
  const { failures } = await without(trusting, async (copy) => writeTo(await starterOf(copy)));
  return biteOf(
    "one checked mailbox, handed over as an object",
    failures,
    `${failures.length} strings reached somebody else`,
  );
}

async function writeTo(starter: Starter) {
  const failures: string[] = [];
  const server = createMailServer();
  const office = await openPostOffice(server, { starter });
  const alert = await firstAlert(office, server);
  let number = 0;
  let reached = 0;
  for (const email of STRINGS) {
    const before = server.named.length;
    for (const way of WAYS) {
      const wish = {
        alert,
        email,
        number: (number += 1),
        word: (field: string) => `${field} ${number}`,
      };
      const kept = await way.ask(office.fetch, wish).catch(() => false);
      if (kept) break;
    }
    await office.pass(100);
    const named = server.named.slice(before);
    reached += named.length;
    const only = mailbox(email);
    const isOne =
      named.length === 0 || (named.length === 1 && named[0] === only && only !== VICTIM);
    if (!isOne) failures.push(`${JSON.stringify(email)} reached ${named.join(" and ")}`);
  }
  // Whatever was said inside the letters: an SMTP server sends to its envelope's recipient only.
  const extra = server.taken.filter(({ raw }) =>
    /^(?:b?cc):/im.test(raw.split("\r\n\r\n")[0] ?? ""),
  );
  if (extra.length > 0) failures.push(`${extra.length} letters have a Cc or Bcc`);
  await office.end();
  server.close();
  return { failures, reached };
}

type Office = Awaited<ReturnType<typeof openPostOffice>>;

async function firstAlert(office: Office, server: ReturnType<typeof createMailServer>) {
  const { app, fetch } = office;
  const said = await tool(fetch, "publish_alert", lostDog("first"));
  if (said.kind === "refused") throw new Error(said.why);
  await app.tick();
  const raw = server.taken.at(-1)?.raw.replace(/=\r\n/g, "") ?? "";
  await press(fetch, /http:\/\/localhost:3000\/confirm\/[\w-]+/.exec(raw)?.[0] ?? "");
  await app.tick();
  return { slug: said.content.slug as string };
}

import { mailbox } from "../../src/core/input.ts";
import { CHANNELS } from "./request-channels.ts";
import { lostDog, submit, callTool } from "./client.ts";
import type { Fault } from "./fault.ts";
import { createFailingMailServer, type FailingMailServer } from "./failing-mail-server.ts";
import { startWithSmtp } from "./service-with-smtp.ts";

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
  promise: "Whatever is in an address field, one mailbox gets one email, or none does",
  async run(say) {
    const { failures, reached } = await writeToAll();
    say(`${STRINGS.length} strings reached ${reached} mailboxes`);
    return {
      tried: `${STRINGS.length} strings by ${CHANNELS.length} ways in`,
      lost: `${failures.length} reached somebody else`,
      failures: [...failures, ...(reached === 0 ? ["no email went out: nothing was tried"] : [])],
    };
  },
};

async function writeToAll() {
  const failures: string[] = [];
  const server = await createFailingMailServer();
  const service = await startWithSmtp(server);
  const alert = await firstAlert(service, server);
  let number = 0;
  let reached = 0;
  for (const email of STRINGS) {
    const before = server.recipients.length;
    for (const channel of CHANNELS) {
      const request = {
        alert,
        email,
        number: (number += 1),
        word: (field: string) => `${field} ${number}`,
      };
      const kept = await channel.send(service.fetch, request).catch(() => false);
      if (kept) break;
    }
    await service.pass(100);
    const recipients = server.recipients.slice(before);
    reached += recipients.length;
    const only = mailbox(email);
    const isOne =
      recipients.length === 0 ||
      (recipients.length === 1 && recipients[0] === only && only !== VICTIM);
    if (!isOne) failures.push(`${JSON.stringify(email)} reached ${recipients.join(" and ")}`);
  }
  // Whatever was said inside the emails: an SMTP server sends to its envelope's recipient only.
  const extra = server.accepted.filter(({ raw }) =>
    /^(?:b?cc):/im.test(raw.split("\r\n\r\n")[0] ?? ""),
  );
  if (extra.length > 0) failures.push(`${extra.length} emails have a Cc or Bcc`);
  await service.end();
  server.close();
  return { failures, reached };
}

type Service = Awaited<ReturnType<typeof startWithSmtp>>;

async function firstAlert(service: Service, server: FailingMailServer) {
  const { app, fetch } = service;
  const result = await callTool(fetch, "publish_alert", lostDog("first"));
  if (result.kind === "refused") throw new Error(result.why);
  await app.tick();
  const raw = server.accepted.at(-1)?.raw.replace(/=\r\n/g, "") ?? "";
  await submit(fetch, /http:\/\/localhost:3000\/confirm\/[\w-]+/.exec(raw)?.[0] ?? "");
  await app.tick();
  return { slug: result.content.slug as string };
}

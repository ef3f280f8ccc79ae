import PostalMime from "postal-mime";
import { createWorld, linkIn, type World } from "../support/world.ts";
import { CHANNELS } from "./request-channels.ts";
import type { Fault } from "./fault.ts";

/** Written into every field; no email of ours has a reason to hold it. */
const CANARY = "Zwqx";
const OWNER = "owl-canary@example.org";
const FINDER = "fox-canary@example.net";

export const emailContent: Fault = {
  name: "a stranger's words and addresses in our emails",
  promise:
    "A confirmation email contains no text of the person who requested it, and no email to one side of a conversation contains the other's address",
  async run(say) {
    const words = await canaries();
    say(`${words.emails} confirmation emails hold none of ${words.canaries} canaries`);
    const sides = await twoSides();
    say(`${sides.emails} emails between two sides`);
    return {
      tried: `${words.canaries} canaries by ${CHANNELS.length} ways in, ${words.emails + sides.emails} emails`,
      failures: [...words.failures, ...sides.failures],
    };
  },
};

async function canaries() {
  const failures: string[] = [];
  const fields = new Set<string>();
  const world = await createWorld({ LIMIT_PUBLISH: "off", LIMIT_MESSAGE: "off" });
  const alert = await world.publish();
  for (const [number, channel] of CHANNELS.entries()) {
    const word = (field: string) => {
      const canary = `${CANARY}${number}${field}`;
      fields.add(canary);
      // As long as the shortest field allows, with marks that some mail programs draw.
      return `${canary} "><b>win</b> ${canary}`.slice(0, 60);
    };
    const kept = await channel.send(world.fetch, {
      alert,
      email: `reader-${number}@example.org`,
      number,
      word,
    });
    if (!kept) failures.push(`${channel.name} did not take a request`);
  }
  await world.tick();
  const emails = world.sentMail.filter(({ envelope }) => envelope.to.startsWith("reader-"));
  if (emails.length !== CHANNELS.length)
    failures.push(`${emails.length} emails instead of ${CHANNELS.length}`);
  for (const { raw } of emails) {
    const held = (await allOf(raw)).filter((part) =>
      part.toLowerCase().includes(CANARY.toLowerCase()),
    );
    if (held.length > 0) failures.push("a confirmation email holds what its asker wrote");
  }
  await world.end();
  return { failures, emails: emails.length, canaries: fields.size };
}

/** A conversation of owner and finder with everything that writes emails about it. */
async function twoSides() {
  const failures: string[] = [];
  const world = await createWorld();
  const alert = await world.publish({ email: OWNER });
  await world.tool("send_message", {
    alert: alert.slug,
    message: `I have her. Write to ${FINDER}, or <${FINDER}>.`,
    name: "Fox",
    email: FINDER,
  });
  await world.confirm(FINDER);
  await answer(world, OWNER, `On my way, ${OWNER}`);
  await answer(world, FINDER, "Good.");
  await world.tick();
  for (const [to, other] of [
    [OWNER, FINDER],
    [FINDER, OWNER],
  ] as const) {
    const mine = world.sentMail.filter(({ envelope }) => envelope.to === to);
    if (mine.length < 2) failures.push(`only ${mine.length} emails to a side: nothing was tried`);
    const [local = "", domain = ""] = other.split("@");
    for (const { raw } of mine)
      if ((await allOf(raw)).some((part) => part.includes(local) || part.includes(`@${domain}`)))
        failures.push("an email to one side holds the other's address");
  }
  const emails = world.sentMail.length;
  await world.end();
  return { failures, emails };
}

async function answer(world: World, who: string, message: string): Promise<void> {
  const email = (await world.emails(who)).findLast((one) => one.text?.includes("/conversation/"));
  const body = new URLSearchParams({ message }).toString();
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  await world.fetch(linkIn(email, "/conversation/"), { method: "POST", headers, body });
}

/** An email as bytes, and everything a mail program makes of it. */
async function allOf(raw: Uint8Array): Promise<string[]> {
  const { headers, subject, text, html } = await PostalMime.parse(raw);
  return [
    Buffer.from(raw).toString("latin1"),
    subject ?? "",
    text ?? "",
    html ?? "",
    JSON.stringify(headers),
  ];
}

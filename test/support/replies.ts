import { memoryMailbox } from "./bounces.ts";
import { MINUTE } from "./time.ts";
import { type createWorld, FINDER, linkIn, LOST_CAT } from "./world.ts";

/** Name of the mail server of the mailbox. */
export const SERVER = "mx.shelter.example";
export const OWNER = LOST_CAT.email;

export const REPLY_SETTINGS = {
  REPLY_ADDRESS: "reply@shelter.example",
  AUTHSERV_ID: SERVER,
  IMAP_URL: "imaps://replies:secret@127.0.0.1:1/INBOX",
};

type Answer = {
  readonly from: string;
  readonly to: string;
  readonly text?: string;
  /** Content-Type of the text. */
  readonly type?: string;
  readonly encoding?: string;
  /** Fields below those of the mail server. */
  readonly fields?: string;
  /** Authentication-Results of the mail server. */
  readonly results?: string | null;
  readonly messageId?: string;
};

let sent = 0;

/** An email as the mail server delivers it, its author authenticated by DMARC. */
export function answer({
  from,
  to,
  text = "I think I saw her.",
  type = "text/plain; charset=utf-8",
  encoding = "8bit",
  fields = "",
  results = `${SERVER};\n\tdkim=pass (2048-bit key) header.d=${domainOf(from)} header.i=@${domainOf(from)};\n\tdmarc=pass (p=none dis=none) header.from=${domainOf(from)}`,
  messageId = `<${(sent += 1)}.${Bun.randomUUIDv7()}@${domainOf(from)}>`,
}: Answer): string {
  return `Return-Path: <${from}>
Delivered-To: ${to}
${results === null ? "" : `Authentication-Results: ${results}\n`}Received: from mail.${domainOf(from)} by ${SERVER}; Fri,  1 May 2026 08:00:03 +0000
${fields === "" ? "" : `${fields}\n`}Date: Fri,  1 May 2026 08:00:00 +0000
From: Somebody <${from}>
To: Pet Alert <${to}>
Subject: Re: New message
Message-ID: ${messageId}
MIME-Version: 1.0
Content-Type: ${type}
Content-Transfer-Encoding: ${encoding}

${text}
`;
}

function domainOf(address: string): string {
  return address.slice(address.indexOf("@") + 1);
}

/** A world with a mailbox for replies, a lost cat, and a finder who has written to its owner. */
export async function talk(
  create: typeof createWorld,
  settings: Readonly<Record<string, string>> = {},
) {
  const mailbox = memoryMailbox();
  const world = await create(
    { LIMIT_PUBLISH: "off", LIMIT_MESSAGE: "off", ...REPLY_SETTINGS, ...settings },
    settings["IMAP_URL"] === undefined ? { mailbox: mailbox.reader } : {},
  );
  const alert = await world.publish();
  await world.tool("send_message", { alert: alert.id, message: "Is it this one?", email: FINDER });
  await world.confirm(FINDER);

  /** Newest email of the conversation to a mailbox. */
  const lastTo = async (to: string) =>
    (await world.emails(to)).findLast(({ text }) => text?.includes("/conversation/"));
  return {
    ...world,
    alert,
    mailbox,
    lastTo,
    /** Address to which the newest email of the conversation to a mailbox is answered. */
    async replyTo(to: string): Promise<string> {
      const addresses = (await world.emails(to)).flatMap(({ replyTo = [] }) =>
        replyTo.flatMap(({ address = "" }) => (address.startsWith("reply+") ? [address] : [])),
      );
      return addresses.at(-1) ?? "";
    },
    /** Texts of the conversation as its page shows them, oldest first. */
    async page(): Promise<string> {
      return world.text(new URL(linkIn(await lastTo(OWNER), "/conversation/")).pathname);
    },
    /** Lets the mailbox be read, and the emails go out. */
    collect: () => world.pass(7 * MINUTE),
    /** Emails to a mailbox that say that a reply was not passed on. */
    refusalsTo: async (to: string) =>
      (await world.emails(to)).filter(({ subject }) => subject?.includes("not passed on")),
    /** Every email to a mailbox, as it was sent. */
    rawTo: (to: string) =>
      world.sentMail
        .filter(({ envelope }) => envelope.to === to)
        .map(({ raw }) => Buffer.from(raw).toString("latin1")),
  };
}
export type Talk = Awaited<ReturnType<typeof talk>>;

/** Works in such a world, and ends it. */
export async function talking<Result>(
  create: typeof createWorld,
  work: (here: Talk) => Promise<Result>,
  settings: Readonly<Record<string, string>> = {},
): Promise<Result> {
  const here = await talk(create, settings);
  try {
    return await work(here);
  } finally {
    await here.end();
  }
}

/** Sum of a metric over all nodes, which answer in turn. */
export async function metric(here: Talk, name: string): Promise<number> {
  let sum = 0;
  for (let node = 0; node < Math.max(Number(process.env["TEST_NODES"] ?? 0), 1); node += 1) {
    const text = await (await here.fetch("/metrics", {}, "127.0.0.1")).text();
    const line = text.split("\n").find((one) => one.startsWith(`${name} `));
    sum += Number(line?.split(" ").at(-1));
  }
  return sum;
}
export const counted = (here: Talk, what: string) =>
  metric(here, `pet_alert_emailed_replies_total{class="${what}"}`);

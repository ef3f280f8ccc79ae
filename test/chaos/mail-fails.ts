import { SEND_SLOTS } from "../../src/mail/outbox-worker.ts";
import { holdsWithin } from "../support/process.ts";
import { HOUR, MINUTE } from "../support/time.ts";
import type { Fault } from "./fault.ts";
import {
  createFailingMailServer,
  type FailingMailServer,
  type Behavior,
} from "./failing-mail-server.ts";
import { startWithSmtp, type ServiceWithSmtp } from "./service-with-smtp.ts";

/** Other emails must be sent within this time while some recipients hang. Shorter than the SMTP timeouts, which end a hang. */
const SOON_SECONDS = 30;

const VICTIM = "reader@trouble.example";
const OTHERS = Array.from({ length: 10 }, (_, at) => `other-${at}@well-${at}.example`);

/** SMTP timeouts in milliseconds for servers that fall silent, short enough for a run that waits for them. */
const SHORT_TIMEOUTS = { greeting: 3_000, socket: 5_000 };

/** Failures that affect every email: mail waits, and no email is tried early. */
const FOR_ALL: readonly (readonly [name: string, behavior: Behavior | "closed"])[] = [
  ["nobody listens", "closed"],
  ["it never greets", { greeting: null }],
  ["421 as its greeting", { greeting: "421 4.3.2 too busy" }],
  ["554 as its greeting", { greeting: "554 5.3.2 no service" }],
  ["535 to our password", { login: "535 5.7.8 wrong password" }],
  ["its encryption is broken", { encryption: "broken" }],
  ["451 to the sender", { sender: "451 4.7.1 slow down" }],
  ["550 to the sender", { sender: "550 5.7.1 not you" }],
  ["550 relaying denied", { recipient: () => "550 5.7.1 relaying denied" }],
  ["452 out of disk", { recipient: () => "452 4.3.1 out of disk" }],
  ["451 after the text", { text: () => "451 4.3.0 later" }],
  ["550 after the text", { text: () => "550 5.7.1 blocked" }],
  ["it hangs up in the middle of the text", { dropsText: true }],
];

const only = (reply: string) => (address: string) => (address === VICTIM ? reply : "250 ok");
/** Failures that affect one email: the others are sent. */
const FOR_ONE: readonly (readonly [name: string, behavior: Behavior, end: "given up" | "waits"])[] =
  [
    ["550 5.1.1 to a recipient", { recipient: only("550 5.1.1 no such user") }, "given up"],
    ["550 5.2.1 to a recipient", { recipient: only("550 5.2.1 disabled") }, "given up"],
    ["552 after the text", { text: only("552 5.3.4 too big") }, "given up"],
    ["554 after the text", { text: only("554 5.6.0 not this") }, "given up"],
    ["450 to a recipient", { recipient: only("450 4.2.0 busy") }, "waits"],
    ["452 to a recipient", { recipient: only("452 4.2.2 full") }, "waits"],
    ["550 without a reason", { recipient: only("550 no") }, "waits"],
    [
      "no answer about a recipient",
      { recipient: (to) => (to === VICTIM ? null : "250 ok") },
      "waits",
    ],
  ];

export const mailFails: Fault = {
  name: "mail that fails",
  promise:
    "Whatever a mail server does, no email is lost that could still arrive, one failing email delays no other, and after a general failure sending pauses",
  async run(say) {
    const failures: string[] = [];
    let emails = 0;
    for (const [name, behavior] of FOR_ALL) {
      const found = await withServer((server) =>
        waitsForAll(server, behavior, optionsFor(behavior)),
      );
      failures.push(...found.map((one) => `${name}: ${one}`));
      emails += OTHERS.length;
    }
    say(`${FOR_ALL.length} kinds of trouble that befall every email`);
    for (const [name, behavior, end] of FOR_ONE) {
      const found = await withServer((server) =>
        holdsNoOther(server, behavior, end, optionsFor(behavior)),
      );
      failures.push(...found.map((one) => `${name}: ${one}`));
      emails += OTHERS.length + 1;
    }
    say(`${FOR_ONE.length} kinds that befall one`);
    failures.push(...(await withServer((server) => hanging(server))));
    say("recipients that hang");
    failures.push(...(await withServer(givesUpInTheEnd)));
    emails += 2 * OTHERS.length + HANGING.length;
    const kinds = FOR_ALL.length + FOR_ONE.length + 2;
    return {
      tried: `${kinds} kinds of trouble, ${emails} emails`,
      failures,
    };
  },
};

type SmtpOptions = Parameters<typeof startWithSmtp>[1];

/** Only silence is met with short timeouts: a reply that a busy machine delays must not be taken for it. */
function optionsFor(behavior: Behavior | "closed"): SmtpOptions {
  const isSilent =
    behavior !== "closed" && (behavior.greeting === null || behavior.recipient?.(VICTIM) === null);
  return isSilent ? { timeouts: SHORT_TIMEOUTS } : {};
}

async function waitsForAll(
  server: FailingMailServer,
  behavior: Behavior | "closed",
  options: SmtpOptions,
): Promise<string[]> {
  const failures: string[] = [];
  if (behavior === "closed") server.close();
  else server.behavior = behavior;
  const service = await startWithSmtp(server, options);
  await service.ask(OTHERS);
  const tries = () => service.logCount("Sending is paused until");

  await service.pass(1_000);
  const first = tries();
  if (first < 1 || first > SEND_SLOTS) failures.push(`${first} emails were tried before the pause`);
  await service.pass(50_000, 5_000);
  if (tries() !== first) failures.push(`the pause was not kept: ${tries() - first} more tries`);
  await service.pass(2 * MINUTE, MINUTE);
  if (tries() === first) failures.push("it was never tried again");
  const waiting = await service.waiting();
  if (waiting !== OTHERS.length) failures.push(`${OTHERS.length - waiting} emails were given up`);

  if (behavior === "closed") server.open();
  server.behavior = {};
  await recovered(service);
  failures.push(...onceEach(server, OTHERS));
  await service.end();
  return failures;
}

async function holdsNoOther(
  server: FailingMailServer,
  behavior: Behavior,
  end: "given up" | "waits",
  options: SmtpOptions,
): Promise<string[]> {
  const failures: string[] = [];
  server.behavior = behavior;
  const service = await startWithSmtp(server, options);
  await service.ask([VICTIM, ...OTHERS]);

  await service.pass(1_000);
  failures.push(...onceEach(server, OTHERS));
  if (service.logCount("Sending is paused until") > 0) failures.push("all mail was paused");
  server.behavior = {};
  await recovered(service);

  const arrived = server.accepted.some(({ to }) => to === VICTIM);
  if (end === "waits" && !arrived) failures.push("the email that could arrive did not");
  if (end === "given up" && arrived) failures.push("what was refused for good was sent again");
  failures.push(...onceEach(server, OTHERS));
  await service.end();
  return failures;
}

/** As many as there are places, at one domain, then as many each at its own. */
const HANGING = [
  ...Array.from({ length: SEND_SLOTS }, (_, at) => `reader-${at}@hangs.example`),
  ...Array.from({ length: SEND_SLOTS }, (_, at) => `reader@hangs-${at}.example`),
];

/** Recipients the server thinks about for as long as it likes. */
async function hanging(server: FailingMailServer): Promise<string[]> {
  const failures: string[] = [];
  const thought = Promise.withResolvers<string>();
  server.behavior = { recipient: (to) => (HANGING.includes(to) ? thought.promise : "250 ok") };
  const service = await startWithSmtp(server);
  const arrived = (to: readonly string[]) =>
    to.every((one) => server.accepted.some((email) => email.to === one));

  await service.ask(HANGING.slice(0, SEND_SLOTS));
  void service.app.tick();
  await holdsWithin(SOON_SECONDS, () => server.recipients.length >= SEND_SLOTS - 1);
  await service.ask(OTHERS.slice(0, 5));
  void service.pass(1_000);
  if (!(await holdsWithin(SOON_SECONDS, () => arrived(OTHERS.slice(0, 5)))))
    failures.push(`${SEND_SLOTS} recipients of one domain that hang hold the others`);

  if (failures.length === 0) {
    await service.ask(HANGING.slice(SEND_SLOTS));
    void service.pass(1_000);
    await holdsWithin(SOON_SECONDS, () => server.recipients.includes(HANGING[SEND_SLOTS] ?? ""));
    await service.ask(OTHERS.slice(5));
    void service.pass(11_000);
    void service.pass(11_000);
    if (!(await holdsWithin(SOON_SECONDS, () => arrived(OTHERS.slice(5)))))
      failures.push(`${SEND_SLOTS} recipients of ${SEND_SLOTS} domains that hang hold the others`);
  }
  thought.resolve("250 ok");
  if (failures.length === 0) await holdsWithin(SOON_SECONDS, () => arrived(HANGING));
  await recovered(service);
  failures.push(...onceEach(server, HANGING));
  await service.end();
  return failures;
}

/** A confirmation email is worth nothing once its link has ended. */
async function givesUpInTheEnd(server: FailingMailServer): Promise<string[]> {
  const failures: string[] = [];
  server.close();
  const service = await startWithSmtp(server);
  await service.ask(OTHERS);
  await service.pass(47 * HOUR, HOUR);
  if ((await service.waiting()) !== OTHERS.length) failures.push("emails were given up too soon");
  await service.pass(3 * HOUR, HOUR);
  if ((await service.waiting()) !== 0) failures.push("emails whose time is over are still tried");
  server.open();
  await recovered(service);
  if (server.accepted.length > 0) failures.push("an email went out whose link had ended");
  await service.end();
  return failures;
}

/** No email waits longer than an hour for the next try. */
async function recovered(service: ServiceWithSmtp): Promise<void> {
  for (let round = 0; round < 3 && (await service.waiting()) > 0; round += 1)
    await service.pass(61 * MINUTE);
}

function onceEach(server: FailingMailServer, to: readonly string[]): string[] {
  const counts = to.map((one) => server.accepted.filter((email) => email.to === one).length);
  const lost = counts.filter((count) => count === 0).length;
  const doubled = counts.filter((count) => count > 1).length;
  return [
    ...(lost > 0 ? [`${lost} of ${to.length} emails did not arrive`] : []),
    ...(doubled > 0 ? [`${doubled} of ${to.length} emails arrived twice`] : []),
  ];
}

async function withServer<Result>(
  work: (server: FailingMailServer) => Promise<Result>,
): Promise<Result> {
  const server = await createFailingMailServer();
  try {
    return await work(server);
  } finally {
    server.close();
  }
}

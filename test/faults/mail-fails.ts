import { PLACES } from "../../src/mail/postman.ts";
import { HOUR, MINUTE } from "../support/time.ts";
import { type Bite, biteOf, type Fault } from "./fault.ts";
import { createMailServer, type MailServer, type Mood } from "./mail-server.ts";
import {
  openPostOffice,
  type PostOffice,
  REAL,
  type Starter,
  starterOf,
  within,
} from "./post-office.ts";
import { type Weakening, weakened, without } from "./weakened.ts";

/** Others must be on their way after this, whatever hangs. */
const SOON_SECONDS = 10;

const VICTIM = "reader@trouble.example";
const OTHERS = Array.from({ length: 10 }, (_, at) => `other-${at}@well-${at}.example`);

/** Waits of the transport, shortened in a copy, so that silence is over before the run is. */
const SHORTENED: readonly Weakening[] = [
  { piece: "GREETING_TIMEOUT_MS = 30_000", instead: "GREETING_TIMEOUT_MS = 400" },
  { piece: "SOCKET_TIMEOUT_MS = 60_000", instead: "SOCKET_TIMEOUT_MS = 800" },
].map((one) => ({ file: "src/mail/transport.ts", ...one }));

/** What befalls every letter alike: mail waits, and not a letter is tried before its time. */
const FOR_ALL: readonly (readonly [name: string, mood: Mood | "closed"])[] = [
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
/** What befalls one letter: the others go. */
const FOR_ONE: readonly (readonly [name: string, mood: Mood, end: "given up" | "waits"])[] = [
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
    "Whatever a mail server does, no letter is lost that could still arrive, one letter's misfortune holds no other, and what fails for all is left alone for a while",
  async run(say) {
    const patient = await weakened(...SHORTENED);
    const starter = await starterOf(patient);
    const failures: string[] = [];
    let letters = 0;
    for (const [name, mood] of FOR_ALL) {
      const found = await withServer((server) => waitsForAll(server, mood, starter));
      failures.push(...found.map((one) => `${name}: ${one}`));
      letters += OTHERS.length;
    }
    say(`${FOR_ALL.length} kinds of trouble that befall every letter`);
    for (const [name, mood, end] of FOR_ONE) {
      const found = await withServer((server) => holdsNoOther(server, mood, end, starter));
      failures.push(...found.map((one) => `${name}: ${one}`));
      letters += OTHERS.length + 1;
    }
    say(`${FOR_ONE.length} kinds that befall one`);
    failures.push(...(await withServer((server) => hanging(server, REAL))));
    say("recipients that hang");
    failures.push(...(await withServer(givesUpInTheEnd)));
    patient.forget();
    letters += 2 * OTHERS.length + HANGING.length;
    const bites = [
      await bite(
        "trying again",
        (server, weak) => waitsForAll(server, { sender: "451 4.7.1 slow down" }, weak),
        {
          file: "src/mail/postman.ts",
          piece: 'return { kind: "postponed", dueAt: Math.max(until, now + waitOf(letter, now)) };',
          instead: 'return { kind: "given_up" };',
        },
      ),
      await bite("places for each domain", hanging, {
        file: "src/mail/postman.ts",
        piece: "PLACES_A_DOMAIN = 3",
        instead: "PLACES_A_DOMAIN = 1_000",
      }),
      await bite(
        "telling one letter's misfortune from all letters'",
        (server, weak) =>
          holdsNoOther(server, { recipient: only("450 4.2.0 busy") }, "waits", weak),
        {
          file: "src/mail/verdict.ts",
          piece: 'if (code === "EENVELOPE" && command === "RCPT TO")',
          instead: "if (false as boolean)",
        },
      ),
    ];
    const kinds = FOR_ALL.length + FOR_ONE.length + 2;
    return {
      tried: `${kinds} kinds of trouble, ${letters} letters`,
      lost: failures.length === 0 ? "0" : "see above",
      failures,
      bites,
    };
  },
};

async function waitsForAll(
  server: MailServer,
  mood: Mood | "closed",
  starter: Starter,
): Promise<string[]> {
  const failures: string[] = [];
  if (mood === "closed") server.close();
  else server.mood = mood;
  const office = await openPostOffice(server, { starter });
  await office.ask(OTHERS);
  const tries = () => office.said("Mail waits until");

  await office.pass(1_000);
  const first = tries();
  if (first < 1 || first > PLACES) failures.push(`${first} letters were tried before the pause`);
  await office.pass(50_000, 5_000);
  if (tries() !== first) failures.push(`the pause was not kept: ${tries() - first} more tries`);
  await office.pass(2 * MINUTE, MINUTE);
  if (tries() === first) failures.push("it was never tried again");
  const waiting = await office.waiting();
  if (waiting !== OTHERS.length) failures.push(`${OTHERS.length - waiting} letters were given up`);

  if (mood === "closed") server.open();
  server.mood = {};
  await recovered(office);
  failures.push(...onceEach(server, OTHERS));
  await office.end();
  return failures;
}

async function holdsNoOther(
  server: MailServer,
  mood: Mood,
  end: "given up" | "waits",
  starter: Starter,
): Promise<string[]> {
  const failures: string[] = [];
  server.mood = mood;
  const office = await openPostOffice(server, { starter });
  await office.ask([VICTIM, ...OTHERS]);

  await office.pass(1_000);
  failures.push(...onceEach(server, OTHERS));
  if (office.said("Mail waits until") > 0) failures.push("all mail was paused");
  server.mood = {};
  await recovered(office);

  const arrived = server.taken.some(({ to }) => to === VICTIM);
  if (end === "waits" && !arrived) failures.push("the letter that could arrive did not");
  if (end === "given up" && arrived) failures.push("what was refused for good was sent again");
  failures.push(...onceEach(server, OTHERS));
  await office.end();
  return failures;
}

/** As many as there are places, at one domain, then as many each at its own. */
const HANGING = [
  ...Array.from({ length: PLACES }, (_, at) => `reader-${at}@hangs.example`),
  ...Array.from({ length: PLACES }, (_, at) => `reader@hangs-${at}.example`),
];

/** Recipients the server thinks about for as long as it likes. */
async function hanging(server: MailServer, starter: Starter): Promise<string[]> {
  const failures: string[] = [];
  const thought = Promise.withResolvers<string>();
  server.mood = { recipient: (to) => (HANGING.includes(to) ? thought.promise : "250 ok") };
  const office = await openPostOffice(server, { starter });
  const arrived = (to: readonly string[]) =>
    to.every((one) => server.taken.some((letter) => letter.to === one));

  await office.ask(HANGING.slice(0, PLACES));
  void office.app.tick();
  await within(SOON_SECONDS, () => server.named.length >= PLACES - 1);
  await office.ask(OTHERS.slice(0, 5));
  void office.pass(1_000);
  if (!(await within(SOON_SECONDS, () => arrived(OTHERS.slice(0, 5)))))
    failures.push(`${PLACES} recipients of one domain that hang hold the others`);

  if (failures.length === 0) {
    await office.ask(HANGING.slice(PLACES));
    void office.pass(1_000);
    await within(SOON_SECONDS, () => server.named.includes(HANGING[PLACES] ?? ""));
    await office.ask(OTHERS.slice(5));
    void office.pass(11_000);
    void office.pass(11_000);
    if (!(await within(SOON_SECONDS, () => arrived(OTHERS.slice(5)))))
      failures.push(`${PLACES} recipients of ${PLACES} domains that hang hold the others`);
  }
  thought.resolve("250 ok");
  if (failures.length === 0) await within(SOON_SECONDS, () => arrived(HANGING));
  await recovered(office);
  failures.push(...onceEach(server, HANGING));
  await office.end();
  return failures;
}

/** A confirmation letter is worth nothing once its link has ended. */
async function givesUpInTheEnd(server: MailServer): Promise<string[]> {
  const failures: string[] = [];
  server.close();
  const office = await openPostOffice(server);
  await office.ask(OTHERS);
  await office.pass(47 * HOUR, HOUR);
  if ((await office.waiting()) !== OTHERS.length) failures.push("letters were given up too soon");
  await office.pass(3 * HOUR, HOUR);
  if ((await office.waiting()) !== 0) failures.push("letters whose time is over are still tried");
  server.open();
  await recovered(office);
  if (server.taken.length > 0) failures.push("a letter went out whose link had ended");
  await office.end();
  return failures;
}

/** No letter waits longer than an hour for the next try. */
async function recovered(office: PostOffice): Promise<void> {
  for (let round = 0; round < 3 && (await office.waiting()) > 0; round += 1)
    await office.pass(61 * MINUTE);
}

function onceEach(server: MailServer, to: readonly string[]): string[] {
  const counts = to.map((one) => server.taken.filter((letter) => letter.to === one).length);
  const lost = counts.filter((count) => count === 0).length;
  const doubled = counts.filter((count) => count > 1).length;
  return [
    ...(lost > 0 ? [`${lost} of ${to.length} letters did not arrive`] : []),
    ...(doubled > 0 ? [`${doubled} of ${to.length} letters arrived twice`] : []),
  ];
}

async function withServer<Result>(work: (server: MailServer) => Promise<Result>): Promise<Result> {
  const server = createMailServer();
  try {
    return await work(server);
  } finally {
    server.close();
  }
}

async function bite(
  defence: string,
  check: (server: MailServer, starter: Starter) => Promise<string[]>,
  weakening: Weakening,
): Promise<Bite> {
  const failures = await without([weakening], async (copy) => {
    const starter = await starterOf(copy);
    return withServer((server) => check(server, starter));
  });
  return biteOf(defence, failures);
}

import { DAY, MINUTE } from "../support/time.ts";
import {
  type FuzzResponse,
  type FuzzRequest,
  type Header,
  PLACEHOLDER_KINDS,
  type PlaceholderKind,
  multipart,
  urlencoded,
  utf8,
} from "./request.ts";
import { type FuzzedService, MEMBER, MODERATOR, type SentEmail, SHELTER } from "./service.ts";
import { PICTURE_BYTES } from "./picture.ts";
import { CANARY, CANARY_DIGITS } from "./text.ts";

/** What a running service has that requests can name, the newest first. */
export type KnownValues = {
  readonly pick: (kind: PlaceholderKind, nth: number) => string;
  /** Learns what an answer or an email gives away to the one who gets it. */
  readonly learn: (request: FuzzRequest, answer: FuzzResponse) => void;
  readonly learnEmails: (emails: readonly SentEmail[]) => void;
  /** Whose token or ticket this is: a mailbox, or itself where nobody's is known; null when it opens nothing. */
  readonly ownerOf: (text: string) => string | null;
};

const KEPT = 60;
const SECRETS_KEPT = 20_000;
const OPENED: readonly PlaceholderKind[] = [
  "confirm",
  "manage",
  "conversation",
  "pair",
  "unsubscribe",
  "erase",
];
/** What opens something to whoever has it. */
const SECRETS: ReadonlySet<PlaceholderKind> = new Set([
  ...OPENED,
  "enter",
  "session",
  "inboxEntry",
  "memberSession",
  "ticket",
]);
const NEVER_GIVEN: Readonly<Partial<Record<PlaceholderKind, string>>> = {
  id: "0190a000-0000-7000-8000-000000000000",
  code: "ZZZZZZ",
  organisation: "happy-paws",
  inboxConversation: "0190a000-0000-7000-8000-000000000000",
  sitemap: "pages.xml",
};

export function createKnownValues(): KnownValues {
  const kept = new Map<PlaceholderKind, string[]>(PLACEHOLDER_KINDS.map((kind) => [kind, []]));
  const owners = new Map<string, string>();
  const add = (kind: PlaceholderKind, name: string, owner = name) => {
    const names = kept.get(kind) ?? [];
    if (names.includes(name)) return;
    names.unshift(name);
    names.length = Math.min(names.length, KEPT);
    if (!SECRETS.has(kind)) return;
    owners.set(name, owner);
    const oldest = owners.keys().next();
    if (owners.size > SECRETS_KEPT && !oldest.done) owners.delete(oldest.value);
  };
  return {
    pick(kind, nth) {
      const names = kept.get(kind) ?? [];
      return (
        names[nth % Math.max(1, names.length)] ?? NEVER_GIVEN[kind] ?? "x".repeat(TOKEN_LENGTH)
      );
    },
    ownerOf: (text) => owners.get(text) ?? null,
    learn({ route: door, target }, { status, headers, body }) {
      if (status >= 400) return;
      const tag = headers.get("ETag");
      if (tag !== null) add("etag", tag);
      const ticket = /^\/waiting\/([\w-]{43,})$/.exec(headers.get("Location") ?? "")?.[1];
      if (ticket !== undefined) add("ticket", ticket);
      const session = /moderator=([\w-]{43})/.exec(headers.get("Set-Cookie") ?? "")?.[1];
      if (session !== undefined) add("session", session);
      const member = /member=([\w-]{43})/.exec(headers.get("Set-Cookie") ?? "")?.[1];
      // Others become members, too, and their pages name their addresses.
      const entry = /[\w-]{43}$/.exec(target)?.[0] ?? "";
      if (member !== undefined && owners.get(entry) === MEMBER) add("memberSession", member);
      if (door === "GET /inbox")
        for (const [, id = ""] of body.matchAll(/"\/inbox\/conversations\/([\w-]+)"/g))
          add("inboxConversation", id);
      if (door === "GET /sitemap.xml")
        for (const [, part = ""] of body.matchAll(/\/sitemaps\/([\w.]+)</g)) add("sitemap", part);
      if (door === "GET /api/v1/alerts") {
        for (const [, id = ""] of body.matchAll(/"id":"([^"]+)"/g)) add("id", id);
        for (const [, slug = ""] of body.matchAll(/"slug":"([^"]+)"/g)) add("slug", slug);
        for (const [, code = ""] of body.matchAll(/"short_code":"([^"]+)"/g)) add("code", code);
      }
      for (const [, photo = ""] of body.matchAll(/\/photos\/([0-9a-f]{32})\.webp/g))
        add("photo", photo);
      for (const [, photo = ""] of body.matchAll(/name="photo" value="([^"]+)"/g))
        add("photo", photo);
      if (door === "GET /admin")
        for (const [, id = ""] of body.matchAll(/\/conversations\/([\w-]+)\/block/g))
          add("written", id);
      if (door === "GET /admin" || door === "GET /manage/:token")
        for (const [, id = ""] of body.matchAll(/\/sightings\/([\w-]+)\/remove/g))
          add("sighting", id);
    },
    learnEmails(emails) {
      for (const { to, text } of emails) {
        for (const kind of OPENED)
          for (const [, token = ""] of text.matchAll(new RegExp(`/${kind}/([\\w-]{43})`, "g")))
            add(kind, token, to);
        // The link that erases of a mailbox that confirmed nothing: it can stop such emails, too.
        for (const [, token = ""] of text.matchAll(/\/erase\/([\w-]{43})\/not-me/g))
          add("stoppable", token, to);
        for (const [, token = ""] of text.matchAll(/\/admin\/enter\/([\w-]{43})/g))
          add("enter", token, to);
        for (const [, token = ""] of text.matchAll(/\/inbox\/enter\/([\w-]{43})/g))
          add("inboxEntry", token, to);
      }
    },
  };
}

/** Bytes of a token in base64url. */
const TOKEN_LENGTH = 43;

/** Sends as the run does, and looks at the answer as closely. */
export type Send = (request: FuzzRequest) => Promise<FuzzResponse>;

const TOWNS = [
  [45.76, 4.83],
  [-33.86, 151.2],
  [64.13, -21.9],
  [35.68, 139.69],
  [0.01, -179.99],
] as const;
/** Client address of the simulated people. */
const CALLER = "192.0.2.99";
const ROUND_MS = 5 * MINUTE;
/** Now and then so much time passes that alerts expire and reminders go out. */
const LONG_ROUND_MS = 20 * DAY;
const LONG_ROUNDS = 12;

/**
 * Simulates people who use the service: alerts that match, seen, written about, watched and reported, some confirmed and
 * some not, so that every page has something to show. `nth` makes each round different.
 */
export async function simulateActivity(
  service: FuzzedService,
  known: KnownValues,
  send: Send,
  nth: number,
): Promise<readonly SentEmail[]> {
  const emails: SentEmail[] = [];
  const post = async () => {
    const fresh = await service.emails();
    known.learnEmails(fresh);
    emails.push(...fresh);
    return fresh;
  };
  const confirmAll = async (sent: readonly SentEmail[]) => {
    const tokens = sent.flatMap(({ to, text }) =>
      to.includes("waits") ? [] : [/\/confirm\/([\w-]{43})/.exec(text)?.[1] ?? []].flat(),
    );
    for (const token of tokens) await send(formTo(`POST /confirm/:token`, `/confirm/${token}`, {}));
  };
  const [town, lng] = TOWNS[nth % TOWNS.length] ?? [0, 0];
  const lat = Number((town + (Math.floor(nth / TOWNS.length) % 40) / 100).toFixed(2));
  const place = {
    lat: `${lat.toFixed(2)}${CANARY_DIGITS}`,
    lng: `${lng.toFixed(2)}${CANARY_DIGITS}`,
  };
  const mailbox = (who: string) => `${CANARY}.${who}.s${nth}@${CANARY}-mail.example`;

  await send(
    formTo("POST /subscribe", "/subscribe", { ...place, radiusKm: "10", email: mailbox("reader") }),
  );
  // Its rim lies between two points of one cell: were it not for the grid, it would tell them apart.
  const beside = { ...place, lat: `${(lat + Math.sign(lat) / 100).toFixed(2)}${CANARY_DIGITS}` };
  await send(
    toolCall("subscribe_zone", { ...beside, radius_km: 1.4, email: mailbox("neighbour") }),
  );
  await confirmAll(await post());
  const animal = { species: "cat", color: "grey tabby", sex: "female", size: "small", ...place };
  await send(
    photoForm("POST /publish", "/publish", {
      ...animal,
      type: "lost",
      name: `Mimi ${nth}`,
      email: mailbox("owner"),
    }),
  );
  await confirmAll(await post());
  await send(
    photoForm("POST /publish", "/publish", {
      ...animal,
      type: "found",
      custody: "vet",
      email: mailbox("finder"),
    }),
  );
  await confirmAll(await post());
  for (const species of ["dog", "bird", "other"])
    await send(
      photoForm("POST /publish", "/publish", {
        ...animal,
        type: "lost",
        species,
        email: mailbox(`waits.${species}`),
      }),
    );
  service.pass(ROUND_MS);
  await post();
  await send(plainAsk("GET /api/v1/alerts", "/api/v1/alerts?limit=5"));
  await send(
    formTo("POST /manage/:token/resolve", `/manage/${known.pick("manage", 0)}/resolve`, {}),
  );
  const lost = await send(plainAsk("GET /api/v1/alerts", "/api/v1/alerts?type=lost&limit=1"));
  const alert = `/alerts/${/"slug":"([^"]+)"/.exec(lost.body)?.[1] ?? "none"}`;
  await send(
    photoForm("POST /alerts/:name/contact", `${alert}/contact`, {
      message: "I saw her.",
      email: mailbox("writer"),
    }),
  );
  await send(
    photoForm("POST /alerts/:name/sighting", `${alert}/sighting`, {
      ...place,
      hoursAgo: "1",
      email: mailbox("witness"),
    }),
  );
  await send(
    formTo("POST /alerts/:name/report", `${alert}/report`, {
      reason: "other",
      text: "Look at this.",
    }),
  );
  await send(formTo("POST /admin/sign-in", "/admin/sign-in", { email: MODERATOR }));
  await confirmAll(await post());
  for (const who of ["reader", "waits.dog"])
    await send(formTo("POST /erase", "/erase", { email: mailbox(who) }));
  service.pass(nth % LONG_ROUNDS === LONG_ROUNDS - 1 ? LONG_ROUND_MS : ROUND_MS);
  await post();
  const conversation = `/conversation/${known.pick("conversation", 0)}`;
  await send(photoForm("POST /conversation/:token", conversation, { message: "Here she is." }));
  await send(plainAsk("GET /conversation/:token", conversation));
  await send(
    formTo("POST /conversation/:token/report", `${conversation}/report`, { reason: "scam" }),
  );
  const enter = known.pick("enter", 0);
  await send(formTo("POST /admin/enter/:token", `/admin/enter/${enter}`, {}));
  const session: Header = ["Cookie", `moderator=${known.pick("session", 0)}`];
  const desk = await send({ ...plainAsk("GET /admin", "/admin"), headers: [session] });
  const id = /"id":"([^"]+)"/.exec(lost.body)?.[1] ?? "none";
  await moderate(send, session, id, desk.body, nth % LONG_ROUNDS === 0);
  await answerFromInbox(send, known, async () => confirmAll(await post()), {
    place,
    visitor: mailbox("visitor"),
    leaves: nth % LONG_ROUNDS === 0,
  });
  return emails;
}

/** Every action of a moderator, so that none is left to chance: those that hide something for good only if `forGood`. */
async function moderate(
  send: Send,
  session: Header,
  id: string,
  desk: string,
  forGood: boolean,
): Promise<void> {
  const post = (route: string, target: string) => {
    const request = formTo(`POST ${route}`, target, {});
    return send({
      ...request,
      headers: [...request.headers, session, ["Sec-Fetch-Site", "same-origin"]],
    });
  };
  const act = (what: string) => post(`/admin/alerts/:id/${what}`, `/admin/alerts/${id}/${what}`);
  for (const what of ["hide", "restore", "dismiss"]) await act(what);
  if (!forGood) return;
  const [removeSighting] = /\/admin\/alerts\/[\w-]+\/sightings\/[\w-]+\/remove/.exec(desk) ?? [];
  if (removeSighting !== undefined)
    await post("/admin/alerts/:id/sightings/:sighting/remove", removeSighting);
  const [blockWriter] = /\/admin\/alerts\/[\w-]+\/conversations\/[\w-]+\/block/.exec(desk) ?? [];
  if (blockWriter !== undefined)
    await post("/admin/alerts/:id/conversations/:conversation/block", blockWriter);
  for (const what of ["block", "remove"]) await act(what);
  await post("/admin/sign-out", "/admin/sign-out");
}

/** An organisation's animal is asked about, and a member answers and ends its alert. */
async function answerFromInbox(
  send: Send,
  known: KnownValues,
  confirm: () => Promise<void>,
  {
    place,
    visitor,
    leaves,
  }: {
    readonly place: { readonly lat: string; readonly lng: string };
    readonly visitor: string;
    /** The member signs out in the end. */
    readonly leaves: boolean;
  },
): Promise<void> {
  await send(
    photoForm("POST /publish", "/publish", {
      ...place,
      type: "found",
      species: "dog",
      color: "black",
      custody: "shelter",
      email: SHELTER,
    }),
  );
  await confirm();
  const own = "/api/v1/alerts?organisation=happy-paws&limit=1";
  const { body } = await send(plainAsk("GET /api/v1/alerts", own));
  const slug = /"slug":"([^"]+)"/.exec(body)?.[1] ?? "none";
  const message = { message: "She looks like mine.", email: visitor };
  await send(photoForm("POST /alerts/:name/contact", `/alerts/${slug}/contact`, message));
  await confirm();

  await send(formTo("POST /inbox/sign-in", "/inbox/sign-in", { email: MEMBER }));
  await confirm();
  const entry = `/inbox/enter/${known.pick("inboxEntry", 0)}`;
  await send(formTo("POST /inbox/enter/:token", entry, {}));
  const session: Header = ["Cookie", `member=${known.pick("memberSession", 0)}`];
  const signedIn = (request: FuzzRequest): FuzzRequest => ({
    ...request,
    headers: [...request.headers, session, ["Sec-Fetch-Site", "same-origin"]],
  });
  const colleague = { email: "ben@paws.example", role: "staff" };
  await send(signedIn(formTo("POST /inbox/members", "/inbox/members", colleague)));
  await send(signedIn(formTo("POST /inbox/members/remove", "/inbox/members/remove", colleague)));
  // The only manager, who cannot leave.
  await send(signedIn(formTo("POST /inbox/leave", "/inbox/leave", {})));
  await send(signedIn(plainAsk("GET /inbox", "/inbox")));
  const conversation = `/inbox/conversations/${known.pick("inboxConversation", 0)}`;
  const page = await send(signedIn(plainAsk("GET /inbox/conversations/:id", conversation)));
  const photo = /"(\/inbox\/conversations\/[^"]+\/photos\/[^"]+)"/.exec(page.body)?.[1];
  if (photo !== undefined)
    await send(signedIn(plainAsk("GET /inbox/conversations/:id/photos/:file", photo)));
  await send(
    signedIn(
      photoForm("POST /inbox/conversations/:id", conversation, { message: "Come and see her." }),
    ),
  );
  await send(signedIn(formTo("POST /inbox/conversations/:id/read", `${conversation}/read`, {})));
  const id = /"id":"([^"]+)"/.exec(body)?.[1] ?? "none";
  await send(signedIn(formTo("POST /inbox/alerts", "/inbox/alerts", { alert: id })));
  if (leaves) await send(signedIn(formTo("POST /inbox/sign-out", "/inbox/sign-out", {})));
}

function plainAsk(door: string, target: string): FuzzRequest {
  return { route: door, method: "GET", target, headers: [], body: null, from: CALLER };
}

function toolCall(name: string, args: Readonly<Record<string, unknown>>): FuzzRequest {
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
  return {
    ...plainAsk("POST /api/mcp", "/api/mcp"),
    method: "POST",
    headers: [["Content-Type", "application/json"]],
    body: utf8(JSON.stringify(call)),
  };
}

function formTo(
  door: string,
  target: string,
  fields: Readonly<Record<string, string>>,
): FuzzRequest {
  return {
    ...plainAsk(door, target),
    method: "POST",
    headers: [["Content-Type", "application/x-www-form-urlencoded"]],
    body: urlencoded(Object.entries(fields)),
  };
}

function photoForm(
  door: string,
  target: string,
  fields: Readonly<Record<string, string>>,
): FuzzRequest {
  const parts = Object.entries(fields).map(([name, value]) => ({ name, value: utf8(value) }));
  const picture = {
    name: "photos",
    value: Buffer.from(PICTURE_BYTES).toString("latin1"),
    file: { name: "a.png", type: "image/png" },
  };
  return {
    ...plainAsk(door, target),
    method: "POST",
    headers: [["Content-Type", "multipart/form-data; boundary=fuzz-boundary"]],
    body: multipart([...parts, picture], "fuzz-boundary"),
  };
}

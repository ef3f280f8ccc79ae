import type { Answer, Ask } from "./ask.ts";
import { fuzz } from "./fuzz.ts";
import { type Life, lifeInProcess, type Sent } from "./life.ts";
import { CANARY, CANARY_DIGITS, CANARY_TAG } from "./text.ts";

/** A service bent in one place, and what a run must then say. */
export type Bent = {
  readonly name: string;
  /** The only route that is asked, so that it is soon come by. */
  readonly route: string;
  readonly says: RegExp;
  readonly answer?: (answer: Answer, ask: Ask) => Answer;
  readonly letters?: (letters: readonly Sent[]) => readonly Sent[];
  readonly logged?: readonly string[];
};

const REQUESTS = 400;

const body = (change: (body: string) => string) => (answer: Answer) =>
  answer.status < 400 ? { ...answer, body: change(answer.body) } : answer;
const header = (name: string, value?: string) => (answer: Answer) => {
  const headers = new Headers(answer.headers);
  headers.delete(name);
  if (value !== undefined) headers.set(name, value);
  return { ...answer, headers };
};
const status = (code: number) => (answer: Answer) => ({ ...answer, status: code });

export const BENT: readonly Bent[] = [
  { name: "an answer of 500", route: "GET /about", says: /answered 500/, answer: status(500) },
  {
    name: "an answer of 502 on another door",
    route: "GET /healthz",
    says: /answered 502/,
    answer: status(502),
  },
  {
    name: "a refusal that does not say when to come back",
    route: "GET /llms.txt",
    says: /429 without/,
    answer: status(429),
  },
  {
    name: "an answer that took too long",
    route: "GET /robots.txt",
    says: /took 60000 ms/,
    answer: (answer) => ({ ...answer, ms: 60_000 }),
  },
  {
    name: "an unhandled error in the log",
    route: "GET /about",
    says: /logged: bug/,
    logged: ["bug { error }"],
  },
  {
    name: "an address in the log",
    route: "GET /about",
    says: /the log tells/,
    logged: [`mail ${CANARY}.a@${CANARY}-mail.example`],
  },
  {
    name: "nosniff missing",
    route: "GET /style.css",
    says: /X-Content-Type-Options/,
    answer: header("X-Content-Type-Options"),
  },
  {
    name: "a page that may be framed",
    route: "GET /",
    says: /X-Frame-Options/,
    answer: header("X-Frame-Options"),
  },
  {
    name: "a page without a policy",
    route: "GET /publish",
    says: /its policy is missing/,
    answer: header("Content-Security-Policy"),
  },
  {
    name: "a page with another type",
    route: "GET /manage",
    says: /with the type text\/plain/,
    answer: header("Content-Type", "text/plain"),
  },
  {
    name: "a redirect to another site",
    route: "GET /a/:code",
    says: /Location is/,
    answer: header("Location", "//evil.example/"),
  },
  {
    name: "a field dropped from an alert",
    route: "GET /api/v1/alerts/:name",
    says: /does not fit Alert/,
    answer: body((text) => text.replace(/"breed":"[^"]*",/, "")),
  },
  {
    name: "a field too many in a page of alerts",
    route: "GET /api/v1/alerts",
    says: /does not fit AlertPage/,
    answer: body((text) => text.replaceAll('"slug":', '"contact_email":"x","slug":')),
  },
  {
    name: "a position that is not on the grid",
    route: "GET /api/v1/alerts.geojson",
    says: /not on the grid/,
    answer: body((text) =>
      text
        .replaceAll('"coordinates":[', '"coordinates":[0.00123,')
        .replace(/(\[0\.00123),-?[\d.]+/g, "$1"),
    ),
  },
  {
    name: "a status that nobody described",
    route: "GET /api/qr/:code",
    says: /418 is not described/,
    answer: status(418),
  },
  {
    name: "a problem that tells less",
    route: "GET /api/v1/alerts/:name",
    says: /does not fit Problem/,
    answer: (answer) => ({ ...answer, body: answer.body.replace('"detail"', '"note"') }),
  },
  {
    name: "a tool's result without a field",
    route: "POST /api/mcp",
    says: /does not fit tool/,
    answer: body((text) =>
      text
        .replace(/("structuredContent":\{.*)"(?:next_cursor|compared|sent_to)":[^,}]*,?/, "$1")
        .replace(/,\}/g, "}"),
    ),
  },
  {
    name: "an answer to another request",
    route: "POST /api/mcp",
    says: /an answer to nobody|answers for/,
    answer: body((text) => text.replace(/"id":(?:\d+|"[^"]*")([^{]*)$/, '"id":987654321$1')),
  },
  {
    name: "a batch answered by half",
    route: "POST /api/mcp",
    says: /answers for \d+ requests/,
    answer: body((text) =>
      text.startsWith("[{") ? JSON.stringify(JSON.parse(text).slice(1)) : text,
    ),
  },
  {
    name: "markup of a caller's in a page",
    route: "GET /subscribe",
    says: /markup that a caller wrote/,
    answer: body((text) => text.replace("</main>", `${CANARY_TAG}></main>`)),
  },
  {
    name: "a script in a page",
    route: "GET /subscribe",
    says: /script of its own/,
    answer: body((text) => text.replace("</main>", "<script>1</script></main>")),
  },
  {
    name: "somebody's address in a page",
    route: "GET /alerts/:name",
    says: /tells of kanari\.owner/,
    answer: body((text) =>
      text.replace("</main>", `${CANARY}.owner.s1@${CANARY}-mail.example</main>`),
    ),
  },
  {
    name: "an exact position in a page",
    route: "GET /alerts/:name",
    says: /tells an exact position/,
    answer: body((text) => text.replace("</main>", `45.76${CANARY_DIGITS}</main>`)),
  },
  {
    name: "another's private link in a page",
    route: "GET /unsubscribe/:token",
    says: /tells the token/,
    answer: withTokensOfOthers(),
  },
  {
    name: "another's address in a letter",
    route: "GET /about",
    says: /a letter to .* tells of/,
    letters: (letters) =>
      letters.map((letter) => ({
        ...letter,
        whole: `${letter.whole} ${CANARY}.other@${CANARY}-mail.example`,
      })),
  },
  {
    name: "a route that nobody knows",
    route: "GET /new",
    says: /nobody has said what to ask of GET \/new/,
  },
];

/** Every token that came by in an address is told to whoever comes next. */
function withTokensOfOthers(): NonNullable<Bent["answer"]> {
  const seen = new Set<string>();
  return (answer, ask) => {
    const [token] = /[\w-]{43}/.exec(ask.target) ?? [];
    const told = [...seen].join(" ");
    if (token !== undefined) seen.add(token);
    return { ...answer, body: answer.body.replace("</main>", `${told}</main>`) };
  };
}

/** What a run says of a bent service: it must be what is expected, or the run sees nothing. */
export async function foundIn(bent: Bent, seed: number): Promise<readonly string[]> {
  const life = await lifeInProcess(seed);
  const [method = "", path = ""] = bent.route.split(" ");
  const { faults } = await fuzz({
    life: bend(life, bent),
    routes: [{ method, path }],
    requests: REQUESTS,
    seed,
    seasonEvery: REQUESTS / 2,
    say: () => {},
  });
  await life.end();
  return faults;
}

function bend(life: Life, { route, answer, letters, logged }: Bent): Life {
  let isLogged = false;
  return {
    ...life,
    async send(ask) {
      const real = await life.send(ask);
      if (ask.door === route && logged !== undefined) isLogged = true;
      return ask.door === route && answer !== undefined ? answer(real, ask) : real;
    },
    async letters() {
      const real = await life.letters();
      return letters === undefined ? real : letters(real);
    },
    logged: () => [...life.logged(), ...(isLogged ? (logged ?? []) : [])],
  };
}

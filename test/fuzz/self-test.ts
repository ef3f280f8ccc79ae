import type { FuzzResponse, FuzzRequest } from "./request.ts";
import { fuzz } from "./fuzz.ts";
import { type FuzzedService, serviceInProcess, type SentEmail } from "./service.ts";
import { CANARY, CANARY_DIGITS, CANARY_TAG } from "./text.ts";

/** A service bent in one place, and what a run must then say. */
export type Defect = {
  readonly name: string;
  /** The only route that is asked, so that it is soon come by. */
  readonly route: string;
  readonly expected: RegExp;
  readonly response?: (answer: FuzzResponse, request: FuzzRequest) => FuzzResponse;
  readonly emails?: (emails: readonly SentEmail[]) => readonly SentEmail[];
  readonly logged?: readonly string[];
};

const REQUESTS = 400;

const body = (change: (body: string) => string) => (answer: FuzzResponse) =>
  answer.status < 400 ? { ...answer, body: change(answer.body) } : answer;
const header = (name: string, value?: string) => (answer: FuzzResponse) => {
  const headers = new Headers(answer.headers);
  headers.delete(name);
  if (value !== undefined) headers.set(name, value);
  return { ...answer, headers };
};
const status = (code: number) => (answer: FuzzResponse) => ({ ...answer, status: code });

export const DEFECTS: readonly Defect[] = [
  {
    name: "an answer of 500",
    route: "GET /about",
    expected: /answered 500/,
    response: status(500),
  },
  {
    name: "a refusal that does not say when to come back",
    route: "GET /llms.txt",
    expected: /429 without/,
    response: status(429),
  },
  {
    name: "an unhandled error in the log",
    route: "GET /about",
    expected: /logged: bug/,
    logged: ["bug { error }"],
  },
  {
    name: "an address in the log",
    route: "GET /about",
    expected: /the log tells/,
    logged: [`mail ${CANARY}.a@${CANARY}-mail.example`],
  },
  {
    name: "nosniff missing",
    route: "GET /style.css",
    expected: /X-Content-Type-Options/,
    response: header("X-Content-Type-Options"),
  },
  {
    name: "a page without a policy",
    route: "GET /publish",
    expected: /its policy is missing/,
    response: header("Content-Security-Policy"),
  },
  {
    name: "a redirect to another site",
    route: "GET /a/:code",
    expected: /Location is/,
    response: header("Location", "//evil.example/"),
  },
  {
    name: "a field dropped from an alert",
    route: "GET /api/v1/alerts/:name",
    expected: /does not fit Alert/,
    response: body((text) => text.replace(/"breed":"[^"]*",/, "")),
  },
  {
    name: "a position that is not on the grid",
    route: "GET /api/v1/alerts.geojson",
    expected: /not on the grid/,
    response: body((text) =>
      text
        .replaceAll('"coordinates":[', '"coordinates":[0.00123,')
        .replace(/(\[0\.00123),-?[\d.]+/g, "$1"),
    ),
  },
  {
    name: "a status that nobody described",
    route: "GET /api/qr/:code",
    expected: /418 is not described/,
    response: status(418),
  },
  {
    name: "a tool's result without a field",
    route: "POST /api/mcp",
    expected: /does not fit tool/,
    response: body((text) =>
      text
        .replace(/("structuredContent":\{.*)"(?:next_cursor|compared|sent_to)":[^,}]*,?/, "$1")
        .replace(/,\}/g, "}"),
    ),
  },
  {
    name: "a batch answered by half",
    route: "POST /api/mcp",
    expected: /answers for \d+ requests/,
    response: body((text) =>
      text.startsWith("[{") ? JSON.stringify(JSON.parse(text).slice(1)) : text,
    ),
  },
  {
    name: "markup of a caller's in a page",
    route: "GET /subscribe",
    expected: /markup that a caller wrote/,
    response: body((text) => text.replace("</main>", `${CANARY_TAG}></main>`)),
  },
  {
    name: "somebody's address in a page",
    route: "GET /alerts/:name",
    expected: /tells of kanari\.owner/,
    response: body((text) =>
      text.replace("</main>", `${CANARY}.owner.s1@${CANARY}-mail.example</main>`),
    ),
  },
  {
    name: "an exact position in a page",
    route: "GET /alerts/:name",
    expected: /tells an exact position/,
    response: body((text) => text.replace("</main>", `45.76${CANARY_DIGITS}</main>`)),
  },
  {
    name: "another's private link in a page",
    route: "GET /unsubscribe/:token",
    expected: /tells the token/,
    response: withTokensOfOthers(),
  },
  {
    name: "another's address in an email",
    route: "GET /about",
    expected: /an email to .* tells of/,
    emails: (emails) =>
      emails.map((email) => ({
        ...email,
        whole: `${email.whole} ${CANARY}.other@${CANARY}-mail.example`,
      })),
  },
  {
    name: "a route that nobody knows",
    route: "GET /new",
    expected: /nobody has said what to request of GET \/new/,
  },
];

/** Every token that came by in an address is told to whoever comes next. */
function withTokensOfOthers(): NonNullable<Defect["response"]> {
  const seen = new Set<string>();
  return (answer, request) => {
    const [token] = /[\w-]{43}/.exec(request.target) ?? [];
    const tokens = [...seen].join(" ");
    if (token !== undefined) seen.add(token);
    return { ...answer, body: answer.body.replace("</main>", `${tokens}</main>`) };
  };
}

/** What a run says of a bent service: it must be what is expected, or the run sees nothing. */
export async function errorsFound(defect: Defect, seed: number): Promise<readonly string[]> {
  const service = await serviceInProcess(seed);
  const [method = "", path = ""] = defect.route.split(" ");
  const { errors } = await fuzz({
    service: bend(service, defect),
    routes: [{ method, path }],
    requests: REQUESTS,
    seed,
    activityEvery: REQUESTS / 2,
    say: () => {},
  });
  await service.end();
  return errors;
}

function bend(
  service: FuzzedService,
  { route, response: answer, emails, logged }: Defect,
): FuzzedService {
  let isLogged = false;
  return {
    ...service,
    async send(request) {
      const real = await service.send(request);
      if (request.route === route && logged !== undefined) isLogged = true;
      return request.route === route && answer !== undefined ? answer(real, request) : real;
    },
    async emails() {
      const real = await service.emails();
      return emails === undefined ? real : emails(real);
    },
    logged: () => [...service.logged(), ...(isLogged ? (logged ?? []) : [])],
  };
}

import type { Answer, Ask } from "./ask.ts";
import type { DoorKind } from "./asks.ts";
import { leaks, others } from "./leaks.ts";
import type { Sent } from "./life.ts";
import { gridFaults, rpcFaults } from "./rpc-answers.ts";
import {
  type ApiDocument,
  createSchemas,
  field,
  parsed,
  type Schemas,
  type Told,
} from "./schemas.ts";
import { CANARY, CANARY_DIGITS, CANARY_TAG } from "./text.ts";

/** Looks at answers, letters and logs: each gives what is wrong with it, nothing when all is well. */
export type Judge = {
  readonly answer: (ask: Ask, kind: DoorKind | null, answer: Answer) => string[];
  readonly letter: (letter: Sent) => string[];
  readonly log: (line: string) => string[];
};

/** A request that takes longer than this holds up all others. */
const ANSWER_MS_MAX = 10_000;

/** `ownerOf` knows the tokens that open something, and to whom each was sent. */
export function createJudge(api: ApiDocument, ownerOf: (text: string) => string | null): Judge {
  const schemas = createSchemas(api);
  return {
    answer(ask, kind, answer) {
      if (isRefusedUnread(ask, answer)) return [];
      const said = answer.headers.get("Content-Type")?.split(";")[0] ?? "";
      return [
        ...statusFaults(answer),
        ...headerFaults(ask, kind, answer, said),
        ...(said === "text/html" ? pageFaults(answer) : []),
        ...(said === "application/problem+json" ? problemFaults(schemas, answer, ask) : []),
        ...(kind === "api" || (kind !== null && DESCRIBED_PAGES.includes(ask.door))
          ? describedFaults(api, schemas, ask, answer, said)
          : []),
        ...(kind === "mcp" && ask.method === "POST" && answer.status < 400
          ? rpcFaults(schemas, ask, answer, said)
          : []),
        ...leaks(ask, answer, ownerOf),
      ];
    },
    letter: ({ to, whole }) => [
      ...others(whole, to).map((one) => `a letter to ${to} tells of ${one}`),
      ...(whole.includes(CANARY_DIGITS) ? [`a letter to ${to} tells an exact position`] : []),
    ],
    log: (line) => [
      ...(/^bug |^tick_failed |"event":"(?:bug|tick_failed)"|Internal server error/.test(line)
        ? [`logged: ${line}`]
        : []),
      ...(line.includes(CANARY) || line.includes(CANARY_DIGITS)
        ? [`the log tells too much: ${line}`]
        : []),
    ],
  };
}

/** Not of the API, but the description of the API tells of them. */
const DESCRIBED_PAGES = ["GET /a/:code", "GET /photos/:file"];

function statusFaults({ status, headers, body, ms }: Answer): string[] {
  const isTold =
    status === 503 &&
    headers.has("Retry-After") &&
    /wait|moment|later|again|warte|attend|espera/i.test(body);
  return [
    ...(status >= 500 && !isTold ? [`answered ${status}: ${body.slice(0, 300)}`] : []),
    ...(status === 429 && !(Number(headers.get("Retry-After")) >= 1)
      ? ["429 without Retry-After"]
      : []),
    ...(status === 405 && !headers.has("Allow") ? ["405 without Allow"] : []),
    ...(ms > ANSWER_MS_MAX ? [`took ${Math.round(ms)} ms`] : []),
  ];
}

/** What each kind of door answers with, where all goes well and where it does not. */
const TYPES: Readonly<Record<DoorKind, { readonly good: RegExp; readonly fault: RegExp }>> = {
  api: {
    good: /^(?:application\/(?:json|geo\+json|atom\+xml)|image\/png)$/,
    fault: /^application\/(?:problem\+json|json)$/,
  },
  page: { good: /^(?:text\/html|image\/webp)$/, fault: /^text\/html$/ },
  guide: { good: /^text\/html$/, fault: /^application\/problem\+json$/ },
  frame: { good: /^text\/html$/, fault: /^text\/html$/ },
  file: {
    good: /^(?:text\/(?:css|javascript|plain)|image\/svg\+xml|application\/(?:json|[\w-]+\+json))$/,
    fault: /^(?:text\/html|application\/problem\+json)$/,
  },
  mcp: {
    good: /^(?:application\/json|text\/event-stream)$/,
    fault: /^application\/(?:problem\+json|json)$/,
  },
};

function headerFaults(
  ask: Ask,
  kind: DoorKind | null,
  { status, headers, body }: Answer,
  said: string,
): string[] {
  const faults: string[] = [];
  const want = (name: string, value: RegExp) => {
    const given = headers.get(name);
    if (given === null || !value.test(given)) faults.push(`${name} is ${given ?? "missing"}`);
  };
  want("X-Content-Type-Options", /^nosniff(?:, nosniff)?$/);
  want("Referrer-Policy", /^no-referrer(?:, no-referrer)?$/);
  if (kind !== "frame" && kind !== null) want("X-Frame-Options", /^DENY$/);
  if (headers.has("X-Powered-By") || headers.has("Server")) faults.push("tells what it runs on");
  if (status >= 300 && status < 400 && status !== 304)
    want("Location", /^(?:\/(?!\/)|http:\/\/(?:localhost|127\.0\.0\.1):\d+\/)/);

  const isEmpty =
    status === 304 ||
    status === 204 ||
    status === 202 ||
    ask.method === "HEAD" ||
    (status >= 300 && status < 400);
  if (isEmpty)
    return body === "" || (status >= 300 && status < 400)
      ? faults
      : [...faults, `${ask.method} ${status} with a body`];
  if (kind !== null) {
    const expected = TYPES[kind][status >= 400 ? "fault" : "good"];
    if (!expected.test(said)) faults.push(`${status} with the type ${said || "none"}`);
  }
  return faults;
}

function pageFaults({ headers, body }: Answer): string[] {
  const policy = headers.get("Content-Security-Policy") ?? "";
  const scripts = [...body.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/gi)];
  const data = scripts.filter(([, about = ""]) => about.includes('type="application/ld+json"'));
  return [
    ...(policy.startsWith("default-src 'none'") &&
    /base-uri 'none'/.test(policy) &&
    /form-action '/.test(policy) &&
    !/unsafe/.test(policy)
      ? []
      : [`its policy is ${policy || "missing"}`]),
    ...(body === "" || /<\/html>\s*$/.test(body) ? [] : ["a page without an end"]),
    ...(body.includes(CANARY_TAG) ? ["a page holds markup that a caller wrote"] : []),
    ...(/\shref="(?:javascript|data|vbscript):/i.test(body)
      ? ["a page holds a link that runs"]
      : []),
    ...scripts
      .filter(
        (one) =>
          !data.includes(one) &&
          !/^ type="module" src="\/scripts\/[\w.-]+\.js\?v=\w+"$/.test(one[1] ?? ""),
      )
      .map(([whole]) => `a page holds a script of its own: ${whole.slice(0, 100)}`),
    ...data
      .filter(([, , text = ""]) => !isJson(text))
      .map(([, , text]) => `broken JSON-LD: ${text?.slice(0, 100)}`),
  ];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function problemFaults(schemas: Schemas, { status, body }: Answer, { method }: Ask): string[] {
  if (method === "HEAD") return [];
  const problem = parsed(body);
  return [
    ...schemas.faults("Problem", problem),
    ...(field(problem, "status") === status ? [] : ["a problem that names another status"]),
  ];
}

/** Answers of the REST API: their status, form, headers and fields are those of the description, and no others. */
function describedFaults(
  api: ApiDocument,
  schemas: Schemas,
  ask: Ask,
  answer: Answer,
  said: string,
): string[] {
  const { status, headers, body } = answer;
  if (!ask.door.startsWith("GET ") || isAnyDoorsAnswer(ask, status)) return [];
  const path = ask.door.slice("GET ".length).replace(/:(\w+)/g, "{$1}");
  const operation = api.paths[path]?.get;
  if (operation === undefined) return [`${path} is not described`];
  const told = operation.responses[String(status)];
  if (told === undefined) return [`${status} is not described for ${path}`];
  const { content = {}, headers: named = {} } = resolved(api, told);
  const schema = content[said]?.schema?.$ref;
  return [
    ...Object.keys(named).flatMap((name) =>
      headers.has(name) ? [] : [`${path} ${status} without ${name}`],
    ),
    ...(Object.keys(content).length === 0 || said in content
      ? []
      : [`${path} ${status} with the type ${said}`]),
    ...(schema === undefined ? [] : schemas.faults(schema.split("/").at(-1) ?? "", parsed(body))),
    ...(body.includes("\\ud") ? ["half a character in JSON"] : []),
    ...gridFaults(body),
  ];
}

/** The server refuses a head that is too long, or names no host, before it hands anything to us. */
function isRefusedUnread(ask: Ask, { status, headers, body }: Answer): boolean {
  const isEmpty = body === "" && !headers.has("Content-Type");
  return isEmpty && (status === 431 || isAnyDoorsAnswer(ask, status));
}

/** A refusal that comes before any door is reached, and so is described for none. */
function isAnyDoorsAnswer({ headers }: Ask, status: number): boolean {
  return status === 400 && headers.some(([name]) => name === "Host");
}

function resolved(api: ApiDocument, told: Told): Told {
  return told.$ref === undefined
    ? told
    : (api.components.responses[told.$ref.split("/").at(-1) ?? ""] ?? told);
}

import { holdsToken } from "../support/private-links.ts";
import type { FuzzResponse, FuzzRequest } from "./request.ts";
import type { RouteKind } from "./request-generator.ts";
import { leaksIn, foreignAddresses } from "./leak-check.ts";
import type { SentEmail } from "./service.ts";
import { positionErrors, rpcErrors } from "./rpc-check.ts";
import {
  type ApiDocument,
  createSchemas,
  field,
  parsed,
  type Schemas,
  type DescribedResponse,
} from "./schemas.ts";
import { CANARY, CANARY_DIGITS, CANARY_TAG } from "./text.ts";

/** Looks at answers, emails and logs: each gives what is wrong with it, nothing when all is well. */
export type ResponseCheck = {
  readonly response: (
    request: FuzzRequest,
    kind: RouteKind | null,
    answer: FuzzResponse,
  ) => string[];
  readonly email: (email: SentEmail) => string[];
  readonly log: (line: string) => string[];
};

/** A request that takes longer than this holds up all others. */
const PROCESSOR_MS_MAX = 10_000;

/** `ownerOf` knows the tokens that open something, and to whom each was sent. */
export function createResponseCheck(
  api: ApiDocument,
  ownerOf: (text: string) => string | null,
): ResponseCheck {
  const schemas = createSchemas(api);
  return {
    response(request, kind, answer) {
      if (isRefusedUnread(request, answer)) return [];
      const mediaType = answer.headers.get("Content-Type")?.split(";")[0] ?? "";
      return [
        ...statusFaults(answer),
        ...headerFaults(request, kind, answer, mediaType),
        ...(mediaType === "text/html" ? pageFaults(request, kind, answer) : []),
        ...(mediaType === "application/problem+json"
          ? problemFaults(schemas, answer, request)
          : []),
        ...(kind === "api" || (kind !== null && DESCRIBED_PAGES.includes(request.route))
          ? describedFaults(api, schemas, request, answer, mediaType)
          : []),
        ...(kind === "mcp" && request.method === "POST" && answer.status < 400
          ? rpcErrors(schemas, request, answer, mediaType)
          : []),
        ...leaksIn(request, answer, ownerOf),
      ];
    },
    email: ({ to, whole }) => [
      ...foreignAddresses(whole, to).map((one) => `an email to ${to} tells of ${one}`),
      ...(whole.includes(CANARY_DIGITS) ? [`an email to ${to} tells an exact position`] : []),
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

function statusFaults({ status, headers, body, processorMs }: FuzzResponse): string[] {
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
    ...(processorMs !== null && processorMs > PROCESSOR_MS_MAX
      ? [`took ${Math.round(processorMs)} ms`]
      : []),
  ];
}

/** What each kind of door answers with, where all goes well and where it does not. */
const TYPES: Readonly<Record<RouteKind, { readonly good: RegExp; readonly fault: RegExp }>> = {
  api: {
    good: /^(?:application\/(?:json|geo\+json|atom\+xml)|image\/png)$/,
    fault: /^application\/(?:problem\+json|json)$/,
  },
  page: { good: /^(?:text\/html|image\/(?:webp|jpeg|png))$/, fault: /^text\/html$/ },
  guide: { good: /^text\/html$/, fault: /^application\/problem\+json$/ },
  fragment: { good: /^text\/html$/, fault: /^application\/problem\+json$/ },
  frame: { good: /^text\/html$/, fault: /^text\/html$/ },
  file: {
    good: /^(?:text\/(?:css|csv|javascript|plain)|image\/svg\+xml|application\/(?:json|xml|[\w-]+\+json))$/,
    fault: /^(?:text\/html|application\/problem\+json)$/,
  },
  mcp: {
    good: /^(?:application\/json|text\/event-stream)$/,
    fault: /^application\/(?:problem\+json|json)$/,
  },
};

function headerFaults(
  request: FuzzRequest,
  kind: RouteKind | null,
  { status, headers, body }: FuzzResponse,
  mediaType: string,
): string[] {
  const errors: string[] = [];
  const want = (name: string, value: RegExp) => {
    const given = headers.get(name);
    if (given === null || !value.test(given)) errors.push(`${name} is ${given ?? "missing"}`);
  };
  want("X-Content-Type-Options", /^nosniff(?:, nosniff)?$/);
  // Pages without a token in their address let browsers name our origin to ourselves.
  want("Referrer-Policy", /^(?:no-referrer|same-origin)$/);
  // The path as a server reads it: "/unsubscribe/." holds no token.
  const path = URL.parse(request.target, "http://localhost")?.pathname ?? "";
  if (holdsToken(path)) want("Referrer-Policy", /^no-referrer$/);
  if (kind !== "frame" && kind !== null) want("X-Frame-Options", /^DENY$/);
  if (headers.has("X-Powered-By") || headers.has("Server")) errors.push("tells what it runs on");
  if (status >= 300 && status < 400 && status !== 304)
    want("Location", /^(?:\/(?!\/)|http:\/\/(?:localhost|127\.0\.0\.1):\d+\/)/);

  const isEmpty =
    status === 304 ||
    status === 204 ||
    status === 202 ||
    request.method === "HEAD" ||
    (status >= 300 && status < 400);
  if (isEmpty)
    return body === "" || (status >= 300 && status < 400)
      ? errors
      : [...errors, `${request.method} ${status} with a body`];
  if (kind !== null) {
    const expected = TYPES[kind][status >= 400 ? "fault" : "good"];
    if (!expected.test(mediaType)) errors.push(`${status} with the type ${mediaType || "none"}`);
  }
  return errors;
}

/** Part of a page, also under an address that was bent into another one for it, such as with a slash at its end. */
const FRAGMENT = /^\/map\/cell\b/;

function pageFaults(
  { target }: FuzzRequest,
  kind: RouteKind | null,
  { headers, body }: FuzzResponse,
): string[] {
  const isFragment = kind === "fragment" || (kind === null && FRAGMENT.test(target));
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
    ...(body === "" || isFragment || /<\/html>\s*$/.test(body) ? [] : ["a page without an end"]),
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

function problemFaults(
  schemas: Schemas,
  { status, body }: FuzzResponse,
  { method }: FuzzRequest,
): string[] {
  if (method === "HEAD") return [];
  const problem = parsed(body);
  return [
    ...schemas.errors("Problem", problem),
    ...(field(problem, "status") === status ? [] : ["a problem that names another status"]),
  ];
}

/** Answers of the REST API: their status, form, headers and fields are those of the description, and no others. */
function describedFaults(
  api: ApiDocument,
  schemas: Schemas,
  request: FuzzRequest,
  answer: FuzzResponse,
  mediaType: string,
): string[] {
  const { status, headers, body } = answer;
  if (!request.route.startsWith("GET ") || isAnyDoorsAnswer(request, status)) return [];
  const path = request.route.slice("GET ".length).replace(/:(\w+)/g, "{$1}");
  const operation = api.paths[path]?.get;
  if (operation === undefined) return [`${path} is not described`];
  const described = operation.responses[String(status)];
  if (described === undefined) return [`${status} is not described for ${path}`];
  const { content = {}, headers: named = {} } = resolved(api, described);
  const schema = content[mediaType]?.schema?.$ref;
  return [
    ...Object.keys(named).flatMap((name) =>
      headers.has(name) || api.components.headers[name]?.required === false
        ? []
        : [`${path} ${status} without ${name}`],
    ),
    ...(Object.keys(content).length === 0 || mediaType in content
      ? []
      : [`${path} ${status} with the type ${mediaType}`]),
    ...(schema === undefined ? [] : schemas.errors(schema.split("/").at(-1) ?? "", parsed(body))),
    ...(body.includes("\\ud") ? ["half a character in JSON"] : []),
    ...positionErrors(body),
  ];
}

/** The server refuses a head that is too long, or names no host, before it hands anything to us. */
function isRefusedUnread(request: FuzzRequest, { status, headers, body }: FuzzResponse): boolean {
  const isEmpty = body === "" && !headers.has("Content-Type");
  return isEmpty && (status === 431 || isAnyDoorsAnswer(request, status));
}

/** A refusal that comes before any door is reached, and so is described for none. */
function isAnyDoorsAnswer({ headers }: FuzzRequest, status: number): boolean {
  return status === 400 && headers.some(([name]) => name === "Host");
}

function resolved(api: ApiDocument, described: DescribedResponse): DescribedResponse {
  return described.$ref === undefined
    ? described
    : (api.components.responses[described.$ref.split("/").at(-1) ?? ""] ?? described);
}

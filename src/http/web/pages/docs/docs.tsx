/** @jsxImportSource hono/jsx */
import { Hono } from "hono";
import type { Child } from "hono/jsx";
import { LANGUAGES } from "../../../../messages/languages.ts";
import { PAGE_MESSAGES } from "../../../../messages/messages.ts";
import type { Theme } from "../../assets/theme.ts";
import type { Links } from "../../../../core/urls.ts";
import {
  type PageContext,
  type Page,
  renderPage,
  type Tiles,
  type WebEnv,
} from "../../layout/layout.tsx";
import { PROBLEMS } from "../../../middleware/faults.ts";

type DocsSite = {
  readonly baseUrl: string;
  readonly links: Links;
  readonly siteName: string;
  readonly tiles: Tiles | null;
  readonly theme: Theme;
};
/** Part of an OpenAPI document that the page shows. */
type ApiDescription = {
  readonly info: { readonly title: string; readonly description: string };
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Answer>>;
  };
};
type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, Answer>>;
};
type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description: string;
  readonly schema: Schema;
  readonly example?: unknown;
};
type Answer = {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Readonly<
    Record<string, { readonly schema?: object; readonly example?: unknown }>
  >;
};
type Schema = { readonly [keyword: string]: unknown };

/** API reference, rendered from the OpenAPI document. English only. */
export function createDocs(site: DocsSite, api: ApiDescription): Hono<WebEnv> {
  const docs = new Hono<WebEnv>();
  const { links, siteName, tiles } = site;
  const ctx: PageContext = {
    route: "/api/docs",
    links,
    siteName,
    t: PAGE_MESSAGES.en,
    now: 0,
    country: undefined,
    mapView: null,
    currentUrl: null,
    tiles,
    theme: site.theme,
    isModerated: false,
    languages: LANGUAGES,
    pushKey: "",
  };
  const page = docsPage(site, api);
  docs.get("/api/docs", (c) => renderPage(c, ctx, page));
  return docs;
}

function docsPage(site: DocsSite, api: ApiDescription): Page {
  const { links } = site;
  const { info, paths, components } = api;
  const operations = Object.entries(paths).map(([path, { get }]) => ({ path, ...get }));
  return {
    title: info.title,
    access: "public",
    head: (
      <>
        <link rel="canonical" href={links.docs} />
        <link rel="service-desc" type="application/json" href={links.openapi} />
        <meta name="description" content={info.description.split(". ")[0]} />
      </>
    ),
    body: (
      <div class="docs">
        <h1>{info.title}</h1>
        <p class="lead">Read alerts about lost and found pets from your own program.</p>
        <ul>
          {info.description.split(/(?<=\.) /).map((sentence) => (
            <li>{sentence}</li>
          ))}
        </ul>
        <p>
          The same for programs, in OpenAPI 3.1:
          <code>{links.openapi}</code>
        </p>
        <nav class="panel contents" aria-labelledby="contents">
          <h2 id="contents">On this page</h2>
          <ul class="links">
            {operations.map(({ operationId, summary }) => (
              <li>
                <a href={`#${operationId}`}>{summary}</a>
              </li>
            ))}
            {Object.keys(components.schemas).map((name) => (
              <li>
                <a href={`#${name}`}>{name}</a>
              </li>
            ))}
            <li>
              <a href="#errors">Errors</a>
            </li>
          </ul>
        </nav>
        {operations.map((operation) => (
          <Section site={site} api={api} {...operation} />
        ))}
        {Object.entries(components.schemas).map(([name, schema]) => (
          <section aria-labelledby={name}>
            <h2 id={name}>{name}</h2>
            <Fields schema={schema} />
          </section>
        ))}
        <section aria-labelledby="errors">
          <h2 id="errors">Errors</h2>
          <p>
            An error is a <a href="#Problem">problem</a> whose type is the address of one of these
            codes.
          </p>
          {PROBLEMS.map(({ code, status, title, meaning }) => (
            <>
              <h3 id={code}>{code}</h3>
              <p>
                {title} ({status}). {meaning}
              </p>
            </>
          ))}
        </section>
      </div>
    ),
  };
}

function Section({
  site,
  api,
  path,
  ...operation
}: Operation & { site: DocsSite; api: ApiDescription; path: string }) {
  const { operationId, summary, parameters } = operation;
  const answers = Object.entries(operation.responses).map(
    ([status, answer]) => [status, resolved(api, answer)] as const,
  );
  const first = answers[0]?.[1];
  const request = exampleRequest(path, parameters);
  return (
    <section aria-labelledby={operationId}>
      <h2 id={operationId}>{summary}</h2>
      <p class="endpoint">
        <code>GET {path}</code>
      </p>
      <p>{operation.description}</p>
      {parameters.length > 0 && (
        <Table
          caption="Parameters"
          heads={["Name", "Value", "Meaning"]}
          rows={parameters.map((parameter) => [
            parameter.name,
            `${shapeOf(parameter.schema)}${parameter.required ? "; required" : ""}${parameter.in === "header" ? "; header" : ""}`,
            parameter.description,
          ])}
        />
      )}
      <Table
        caption="Answers"
        heads={["Status", "Form", "Meaning"]}
        rows={answers.map(([status, answer]) => [
          status,
          <Forms answer={answer} />,
          answer.description ?? "",
        ])}
      />
      {request !== null && (
        <>
          <h3>Example</h3>
          <Pre label={`Request: ${summary}`}>{`curl '${site.baseUrl}${request}'`}</Pre>
          {exampleOf(first) !== null && <Pre label={`Answer: ${summary}`}>{exampleOf(first)}</Pre>}
        </>
      )}
    </section>
  );
}

function Forms({ answer }: { answer: Answer }) {
  return (
    <>
      {Object.entries(answer.content ?? {}).map(([type, { schema }]) => {
        const name = schema === undefined ? null : nameIn(schema as Schema);
        const form = <Breakable text={type} />;
        return name === null ? form : <a href={`#${name}`}>{form}</a>;
      })}
    </>
  );
}

function Fields({ schema }: { schema: Schema }) {
  return (
    <Table
      caption="Fields"
      heads={["Name", "Value", "Meaning"]}
      rows={fieldsOf(schema).map(([name, field]) => [
        name,
        <Shape schema={field} />,
        String(field["description"] ?? ""),
      ])}
    />
  );
}

/** Table of the fields of a schema, including nested ones such as `matches[].score`. */
function fieldsOf(schema: Schema, before = ""): [string, Schema][] {
  const properties = (schema["properties"] ?? {}) as Record<string, Schema>;
  return Object.entries(properties).flatMap(([name, field]): [string, Schema][] => {
    const own = `${before}${name}`;
    const items = field["items"] as Schema | undefined;
    const inner = items === undefined ? fieldsOf(field, `${own}.`) : fieldsOf(items, `${own}[].`);
    return [[own, field], ...inner];
  });
}

function Shape({ schema }: { schema: Schema }) {
  const name = nameIn(schema);
  if (name !== null) return <a href={`#${name}`}>{name}</a>;
  const items = schema["items"] as Schema | undefined;
  return items === undefined ? (
    <>{shapeOf(schema)}</>
  ) : (
    <>
      list of <Shape schema={items} />
    </>
  );
}

/** Type of a value in words: "cat or dog", "number, -90 to 90", "text (date) or null". */
function shapeOf(schema: Schema): string {
  const choices = schema["anyOf"] as Schema[] | undefined;
  if (choices !== undefined) return choices.map(shapeOf).join(" or ");
  if (schema["const"] !== undefined) return String(schema["const"]);
  const values = schema["enum"] as unknown[] | undefined;
  if (values !== undefined) return values.join(" or ");
  const format = schema["format"] === undefined ? "" : ` (${String(schema["format"])})`;
  const types = [schema["type"] ?? "anything"]
    .flat()
    .map((type) => (type === "string" ? `text${format}` : String(type)));
  return [types.join(" or "), ...boundsOf(schema)].join(", ");
}

function boundsOf(schema: Schema): string[] {
  const bound = (keyword: string, sentence: (limit: string) => string) =>
    schema[keyword] === undefined ? [] : [sentence(String(schema[keyword]))];
  const { minimum, maximum } = schema;
  if (minimum !== undefined && maximum !== undefined)
    return [`${String(minimum)} to ${String(maximum)}`];
  return [
    ...bound("exclusiveMinimum", (limit) => `more than ${limit}`),
    ...bound("maximum", (limit) => `at most ${limit}`),
    ...bound("maxLength", (limit) => `at most ${limit} characters`),
  ];
}

/** Schema name in a reference. */
function nameIn({ $ref }: Schema): string | null {
  return typeof $ref === "string" ? ($ref.split("/").at(-1) ?? null) : null;
}

function resolved({ components }: ApiDescription, answer: Answer): Answer {
  const name = nameIn(answer);
  return name === null ? answer : (components.responses[name] ?? answer);
}

/** Example request from the examples of the parameters; null if a path parameter has none. */
function exampleRequest(path: string, parameters: readonly Parameter[]): string | null {
  const values = parameters.filter(({ example }) => example !== undefined);
  const query = values
    .filter((parameter) => parameter.in === "query")
    .map(({ name, example }): [string, string] => [name, String(example)]);
  const filled = values
    .filter((parameter) => parameter.in === "path")
    .reduce((so, { name, example }) => so.replace(`{${name}}`, String(example)), path);
  if (filled.includes("{")) return null;
  return query.length === 0 ? filled : `${filled}?${new URLSearchParams(query)}`;
}

function exampleOf(answer: Answer | undefined): string | null {
  const example = Object.values(answer?.content ?? {})[0]?.example;
  if (example === undefined) return null;
  return typeof example === "string" ? example.trim() : JSON.stringify(example, null, 2);
}

function Table({
  caption,
  heads,
  rows,
}: {
  caption: string;
  heads: readonly string[];
  rows: readonly (readonly [string, Child, string])[];
}) {
  return (
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {heads.map((head) => (
            <th scope="col">{head}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, value, meaning]) => (
          <tr>
            <th scope="row">
              <Breakable text={name} />
            </th>
            <td>{value}</td>
            <td>{meaning}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Long name that may wrap between its parts. */
function Breakable({ text }: { text: string }) {
  return (
    <>
      {text.split(/(?<=[/._])|(?=\+)/).map((part, at) => (
        <>
          {at > 0 && <wbr />}
          {part}
        </>
      ))}
    </>
  );
}

/** Preformatted text, scrollable by keyboard. */
function Pre({ label, children }: { label: string; children?: Child }) {
  return (
    <section class="written" tabindex={0} aria-label={label}>
      <pre>{children}</pre>
    </section>
  );
}

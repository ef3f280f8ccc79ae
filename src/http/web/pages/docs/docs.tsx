/** @jsxImportSource hono/jsx */
import { LinkItem } from "../../components/elements.tsx";
import { type Child } from "hono/jsx";
import { PAGE_MESSAGES } from "../../../../messages/messages.ts";
import type { ApiDocument } from "../../../api/openapi/document.ts";
import type { ApiResponse, Operation } from "../../../api/openapi/operations.ts";
import type { Parameter, Schema } from "../../../api/openapi/schemas.ts";
import { type PageContext, type Page, renderPage, type Web } from "../../layout/layout.tsx";
import { PROBLEMS } from "../../../middleware/faults.ts";

const DOCS_PATH = "/api/docs";

/** API reference, rendered from the OpenAPI document. English only. */
export function docsRoutes({ get }: Web, api: ApiDocument): void {
  get(DOCS_PATH, (c, ctx) =>
    renderPage(c, { ...ctx, t: PAGE_MESSAGES.en, currentUrl: null }, docsPage(ctx, api)),
  );
}

function docsPage({ links }: PageContext, api: ApiDocument): Page {
  const { info, paths, components } = api;
  const origin = links.docs.slice(0, -DOCS_PATH.length);
  const operations = Object.entries(paths).map(([path, { get }]) => ({ path, ...get }));
  const schemas = Object.entries(components.schemas);
  const contents = [
    ...operations.map(({ operationId, summary }) => [operationId, summary]),
    ...schemas.map(([name]) => [name, name]),
    ["errors", "Errors"],
  ];
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
            {contents.map(([id, title]) => (
              <LinkItem to={`#${id}`} label={title} />
            ))}
          </ul>
        </nav>
        {operations.map((operation) => (
          <OperationSection api={api} origin={origin} {...operation} />
        ))}
        {schemas.map(([name, schema]) => (
          <section aria-labelledby={name}>
            <h2 id={name}>{name}</h2>
            <Table
              caption="Fields"
              heads={["Name", "Value", "Meaning"]}
              rows={fieldsOf(schema).map(([field, shape]) => [
                field,
                <Shape schema={shape} />,
                String(shape["description"] ?? ""),
              ])}
            />
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

function OperationSection(props: Operation & { path: string; api: ApiDocument; origin: string }) {
  const { operationId, summary, parameters, path, api } = props;
  const answers = Object.entries(props.responses).map(([status, answer]) => {
    const isShared = "$ref" in answer;
    return [status, isShared ? api.components.responses[nameIn(answer)!]! : answer] as const;
  });
  const request = exampleRequest(path, parameters);
  const example = exampleOf(answers[0]?.[1]);
  return (
    <section aria-labelledby={operationId}>
      <h2 id={operationId}>{summary}</h2>
      <p class="endpoint">
        <code>GET {path}</code>
      </p>
      <p>{props.description}</p>
      {parameters.length > 0 && (
        <Table
          caption="Parameters"
          heads={["Name", "Value", "Meaning"]}
          rows={parameters.map(({ name, schema, required, in: place, description }) => [
            name,
            <>
              <Shape schema={schema} />
              {required && "; required"}
              {place === "header" && "; header"}
            </>,
            description,
          ])}
        />
      )}
      <Table
        caption="Answers"
        heads={["Status", "Form", "Meaning"]}
        rows={answers.map(([status, { content = {}, description }]) => [
          status,
          Object.entries(content).map(([type, { schema = {} }]) => {
            const name = nameIn(schema);
            const form = <Breakable text={type} />;
            return name === null ? form : <a href={`#${name}`}>{form}</a>;
          }),
          description,
        ])}
      />
      {request !== null && (
        <>
          <h3>Example</h3>
          <Pre label={`Request: ${summary}`} text={`curl '${props.origin}${request}'`} />
          {example !== null && <Pre label={`Answer: ${summary}`} text={example} />}
        </>
      )}
    </section>
  );
}

/** Fields of a schema, including nested ones such as `matches[].score`. */
function fieldsOf(schema: Schema, before = ""): [string, Schema][] {
  const properties = (schema["properties"] ?? {}) as Record<string, Schema>;
  return Object.entries(properties).flatMap(([name, field]): [string, Schema][] => {
    const items = field["items"] as Schema | undefined;
    const own = `${before}${name}`;
    return [[own, field], ...fieldsOf(items ?? field, items ? `${own}[].` : `${own}.`)];
  });
}

/** Type of a value: "cat or dog", "number, -90 to 90", "text (date) or null", or a link to a schema. */
function Shape({ schema }: { schema: Schema }) {
  const name = nameIn(schema);
  if (name !== null) return <a href={`#${name}`}>{name}</a>;
  const items = schema["items"] as Schema | undefined;
  if (items === undefined) return <>{shapeOf(schema)}</>;
  return (
    <>
      list of <Shape schema={items} />
    </>
  );
}

function shapeOf(schema: Schema): string {
  const { anyOf, enum: values, type = "anything", format } = schema;
  if (anyOf !== undefined) return (anyOf as Schema[]).map(shapeOf).join(" or ");
  if (schema["const"] !== undefined) return String(schema["const"]);
  if (values !== undefined) return (values as unknown[]).join(" or ");
  const text = format === undefined ? "text" : `text (${String(format)})`;
  const types = [type].flat().map((one) => (one === "string" ? text : String(one)));
  return [types.join(" or "), ...boundsOf(schema)].join(", ");
}

function boundsOf({ minimum, maximum, exclusiveMinimum, maxLength }: Schema): string[] {
  if (minimum !== undefined && maximum !== undefined) return [`${minimum} to ${maximum}`];
  return [
    ...(exclusiveMinimum === undefined ? [] : [`more than ${exclusiveMinimum}`]),
    ...(maximum === undefined ? [] : [`at most ${maximum}`]),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
  ];
}

/** Name of the schema or answer that a reference leads to. */
function nameIn({ $ref }: { readonly $ref?: unknown }): string | null {
  return typeof $ref === "string" ? $ref.slice($ref.lastIndexOf("/") + 1) : null;
}

/** Example request from the examples of the parameters; null if a path parameter has none. */
function exampleRequest(path: string, parameters: readonly Parameter[]): string | null {
  const query = new URLSearchParams();
  let filled = path;
  for (const { name, in: place, example } of parameters) {
    if (example === undefined) continue;
    if (place === "path") filled = filled.replace(`{${name}}`, String(example));
    if (place === "query") query.set(name, String(example));
  }
  if (filled.includes("{")) return null;
  return query.size === 0 ? filled : `${filled}?${query}`;
}

function exampleOf(answer: ApiResponse | undefined): string | null {
  const example = Object.values(answer?.content ?? {})[0]?.example;
  if (example === undefined) return null;
  return typeof example === "string" ? example.trim() : JSON.stringify(example, null, 2);
}

function Table(props: {
  caption: string;
  heads: readonly string[];
  rows: readonly (readonly [string, Child, string])[];
}) {
  return (
    <table>
      <caption>{props.caption}</caption>
      <thead>
        <tr>
          {props.heads.map((head) => (
            <th scope="col">{head}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {props.rows.map(([name, value, meaning]) => (
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
  const parts = text.split(/(?<=[/._])|(?=\+)/);
  return <>{parts.flatMap((part, at) => (at > 0 ? [<wbr />, part] : [part]))}</>;
}

/** Preformatted text, scrollable by keyboard. */
function Pre({ label, text }: { label: string; text: string }) {
  return (
    <section class="written" tabindex={0} aria-label={label}>
      <pre>{text}</pre>
    </section>
  );
}

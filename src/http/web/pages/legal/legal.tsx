/** @jsxImportSource hono/jsx */
import type { Child } from "hono/jsx";
import type { Operator } from "../../../../settings/operator.ts";
import type { LegalPage, OperatorText } from "../../../../settings/operator-text.ts";
import { local, type Page, type PageContext, type Web } from "../../layout.tsx";
import { OperatorAdditions, OperatorBlock } from "./operator-block.tsx";
import { privacyBody } from "./privacy.tsx";
import { termsBody } from "./terms.tsx";

/** Facts about this instance that its imprint, privacy page and terms state. */
export type LegalFacts = {
  readonly operator: Operator | null;
  /** Operator's own additions to the pages. */
  readonly additions: readonly OperatorText[];
  /** False if emails are written to files. */
  readonly hasMailServer: boolean;
  readonly readsBounces: boolean;
  /** True if conversations can be continued by email. */
  readonly readsReplies: boolean;
  /** Number of daily backups; null if the data is in a database that its operators back up. */
  readonly backupKeep: number | null;
  /** Encrypted copies of backups in another place, kept for so many days; `host` is the server of a bucket. */
  readonly backupCopy: { readonly days: number; readonly host: string | null } | null;
  readonly isBehindProxy: boolean;
};

/** Imprint, privacy page and terms. */
export function legalRoutes({ get }: Web, facts: LegalFacts): void {
  get("/imprint", (_, ctx) => legalPage("imprint", ctx, facts, imprintBody(ctx, facts)));
  get("/privacy", (_, ctx) => legalPage("privacy", ctx, facts, privacyBody(ctx, facts)));
  get("/terms", (_, ctx) => legalPage("terms", ctx, facts, termsBody(ctx)));
}

function legalPage(
  page: LegalPage,
  { t, links }: PageContext,
  { additions }: LegalFacts,
  body: Child,
): Page {
  const { title } = t[page];
  return {
    title,
    access: "public",
    canonical: links[page],
    body: (
      <div class="about">
        <h1>{title}</h1>
        {body}
        <OperatorAdditions additions={additions} page={page} />
      </div>
    ),
  };
}

function imprintBody({ t, links, siteName }: PageContext, { operator }: LegalFacts): Child {
  const text = t.imprint;
  return (
    <>
      {operator !== null && <p class="lead">{text.runs({ site: siteName })}</p>}
      <OperatorBlock operator={operator} />
      {operator !== null && <p>{text.responsible}</p>}
      <p>{text.animals}</p>
      {operator !== null && operator.contact !== null && (
        <p>
          {text.security} <a href={local(links.securityTxt)}>security.txt</a>
        </p>
      )}
    </>
  );
}

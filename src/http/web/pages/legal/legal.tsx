/** @jsxImportSource hono/jsx */
import type { Child } from "hono/jsx";
import { type Operator, contactUri } from "../../../../settings/operator.ts";
import {
  type LegalPage,
  type OperatorText,
  operatorTextFor,
  type TextBlock,
} from "../../../../settings/operator-text.ts";
import { local, type Page, type PageContext, type Web, usePage } from "../../layout/layout.tsx";
import { KEEP_PERSONAL_DATA_MS, lifetimeMs } from "../../../../core/alerts/lifetime.ts";
import {
  CONFIRM_MS,
  CONFIRMED_KEEP_MS,
  PENDING_KEEP_MS,
} from "../../../../core/pending/pending.ts";
import { INCOMING_EMAIL_KEEP_MS } from "../../../../core/conversations/emailed-reply.ts";
import { DAY_MS, HOUR_MS } from "../../../../core/duration.ts";
import { TOMBSTONE_KEEP_MS } from "../../../../core/erasure/erase.ts";
import { OLD_COPY_KEEP_MS } from "../../../../ops/health-checks.ts";
import { HITS_KEEP_MS } from "../../../../core/limits.ts";
import { AUDIT_LOG_KEEP_MS, REPORT_KEEP_MS } from "../../../../core/moderation/report.ts";
import { DEVICE_KEEP_MS } from "../../../../core/push/devices.ts";
import { DEAD_KEEP_MS } from "../../../../core/people/suppression.ts";
import { List } from "../../components/elements.tsx";
import { COOKIE_MS } from "../../layout/language.ts";

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

/** Name, postal address and contact of the operator, or a sentence that says that nobody is named. */
function OperatorBlock({ operator }: { operator: Operator | null }) {
  const { t } = usePage();
  const text = t.operator;
  if (operator === null) return <p class="notice">{text.nobody}</p>;
  const { name, address, contact } = operator;
  return (
    <>
      <address class="notice operator">
        <strong>{name}</strong>
        {address !== null && <div>{address}</div>}
        {contact !== null && (
          <div>
            {text.contact} <a href={contactUri(contact)}>{contact.address}</a>
          </div>
        )}
      </address>
      {contact === null && <p>{text.noContact}</p>}
    </>
  );
}

/** Operator's own text at the end of a page, if there is any. */
function OperatorAdditions(props: {
  readonly additions: readonly OperatorText[];
  readonly page: LegalPage;
}) {
  const { t } = usePage();
  const text = operatorTextFor(props.additions, props.page, t.language);
  if (text === null || text.blocks.length === 0) return null;
  return (
    <>
      <h2 id="additions">{t.operator.additions}</h2>
      <div lang={text.language ?? undefined} dir="auto">
        {text.blocks.map((block) => (
          <Block block={block} />
        ))}
      </div>
    </>
  );
}

function Block({ block }: { block: TextBlock }) {
  switch (block.kind) {
    case "heading":
      return <h3>{linked(block.text)}</h3>;
    case "paragraph":
      return <p class="text">{linked(block.text)}</p>;
    case "list":
      return (
        <ul>
          {block.items.map((item) => (
            <li>{linked(item)}</li>
          ))}
        </ul>
      );
  }
}

/** Web addresses, without the punctuation that follows them. */
const ADDRESSES = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]])/;

/** Text whose web addresses are links. */
function linked(text: string): Child {
  return text
    .split(ADDRESSES)
    .map((part, at) => (at % 2 === 1 && URL.canParse(part) ? <a href={part}>{part}</a> : part));
}

/** Privacy page, with the settings and numbers that are in force. */
function privacyBody(ctx: PageContext, facts: LegalFacts): Child {
  const { t, links, siteName } = ctx;
  const text = t.privacy;
  return (
    <>
      <p class="lead">{text.lead({ site: siteName })}</p>
      <h2 id="responsible">{text.responsible}</h2>
      <OperatorBlock operator={facts.operator} />
      <h2 id="stored">{text.stored}</h2>
      <List of={storedItems(ctx, facts)} />
      <p>{text.choice}</p>
      <h2 id="bases">{text.bases}</h2>
      <p>{text.basesLead}</p>
      <List of={text.basesItems} />
      <p>{text.device}</p>
      <h2 id="recipients">{text.recipients}</h2>
      <List of={recipientItems(ctx, facts)} />
      <p>{text.nobodyElse}</p>
      <h2 id="rights">{text.rights}</h2>
      <p>{text.rightsLead}</p>
      <ul>
        <li>
          {text.see} <a href={local(links.requestErasure)}>{t.erase.link}</a>
        </li>
        <li>
          {text.correct} <a href={local(links.requestManageLinks)}>{t.layout.findMine}</a>
        </li>
        <li>{text.stop}</li>
      </ul>
      <p>
        {facts.operator === null || facts.operator.contact === null
          ? text.otherwiseUnnamed
          : text.otherwise}
      </p>
      <p>{text.complain}</p>
      <p>{text.automated}</p>
    </>
  );
}

function storedItems({ t }: PageContext, facts: LegalFacts): string[] {
  const { backupKeep, backupCopy, readsReplies } = facts;
  const { kept } = t.privacy;
  const days = (ms: number) => Math.round(ms / DAY_MS);
  const life = {
    dog: days(lifetimeMs("lost", "dog")),
    cat: days(lifetimeMs("lost", "cat")),
    other: days(lifetimeMs("lost", "other")),
    found: days(lifetimeMs("found", "other")),
  };
  return [
    backupKeep === null ? kept.whereShared : kept.where,
    kept.position,
    kept.photos,
    kept.draft,
    kept.confirm({ hours: CONFIRM_MS / HOUR_MS }),
    kept.life(life),
    kept.ended({ days: days(KEEP_PERSONAL_DATA_MS) }),
    kept.zone,
    kept.devices({ days: days(DEVICE_KEEP_MS) }),
    kept.chip,
    kept.outcome,
    kept.plan,
    kept.confirmed({ days: days(CONFIRMED_KEEP_MS) }),
    kept.stopped,
    kept.bounces({ days: days(DEAD_KEEP_MS) }),
    ...(readsReplies ? [kept.replies({ days: days(INCOMING_EMAIL_KEEP_MS) })] : []),
    kept.erased,
    ...(backupKeep === null
      ? [kept.backupsShared]
      : [kept.backups({ days: backupKeep }), kept.oldCopies({ days: days(OLD_COPY_KEEP_MS) })]),
    ...(backupCopy === null ? [] : [kept.backupCopies({ days: backupCopy.days })]),
    kept.tombstones({ days: days(TOMBSTONE_KEEP_MS) }),
    kept.reports({ days: days(REPORT_KEEP_MS), logDays: days(AUDIT_LOG_KEEP_MS) }),
    kept.members({ logDays: days(AUDIT_LOG_KEEP_MS) }),
    kept.emails({ days: days(PENDING_KEEP_MS) }),
    kept.callers({ hours: HITS_KEEP_MS / HOUR_MS }),
    kept.cookie({ days: COOKIE_MS / DAY_MS }),
  ];
}

function recipientItems({ t, tiles, isModerated }: PageContext, facts: LegalFacts): string[] {
  const text = t.privacy;
  return [
    text.everyone,
    text.correspondent,
    text.shelterMembers,
    ...(isModerated ? [text.moderators] : []),
    facts.hasMailServer ? text.mail : text.noMail,
    text.push,
    ...(facts.readsBounces ? [text.bounces] : []),
    ...(facts.readsReplies ? [text.replies] : []),
    text.hosts,
    ...(facts.backupCopy === null || facts.backupCopy.host === null
      ? []
      : [text.backupHost({ host: facts.backupCopy.host })]),
    ...(facts.isBehindProxy ? [text.proxy] : []),
    tiles === null ? text.kept.noTiles : text.kept.tiles({ host: new URL(tiles.url).hostname }),
  ];
}

/** Terms of use, which differ with moderation only. */
function termsBody({ t, links, siteName, isModerated }: PageContext): Child {
  const text = t.terms;
  return (
    <>
      <p class="lead">{text.lead({ site: siteName })}</p>
      <h2 id="service">{text.service}</h2>
      <List of={text.serviceItems} />
      <h2 id="yours">{text.yours}</h2>
      <ul>
        {text.yoursItems.map((item) => (
          <li>{item}</li>
        ))}
        <li>
          {text.yoursEnd} <a href={local(links.requestManageLinks)}>{t.layout.findMine}</a>
        </li>
      </ul>
      <h2 id="forbidden">{text.forbidden}</h2>
      <List of={text.forbiddenItems} />
      <h2 id="money">{text.money}</h2>
      <p>{text.moneyText}</p>
      <h2 id="removal">{text.removal}</h2>
      <p>{isModerated ? text.moderated : text.unmoderated}</p>
      <p>{text.automatic}</p>
      <p>
        {text.appeal} <a href={local(links.imprint)}>{t.layout.imprint}</a>
      </p>
      <h2 id="promise">{text.promise}</h2>
      <List of={text.promiseItems} />
    </>
  );
}

/** @jsxImportSource hono/jsx */
import type { Child } from "hono/jsx";
import { KEEP_PERSONAL_DATA_MS, lifetimeMs } from "../../../../core/alerts/alert.ts";
import {
  CONFIRM_MS,
  CONFIRMED_KEEP_MS,
  PENDING_KEEP_MS,
} from "../../../../core/pending/pending.ts";
import { INCOMING_EMAIL_KEEP_MS } from "../../../../core/conversations/emailed-reply.ts";
import { DAY_MS, HOUR_MS } from "../../../../core/duration.ts";
import { TOMBSTONE_KEEP_MS } from "../../../../core/people/erase.ts";
import { OLD_COPY_KEEP_MS } from "../../../../ops/health-checks.ts";
import { HITS_KEEP_MS } from "../../../../core/limits.ts";
import { AUDIT_LOG_KEEP_MS, REPORT_KEEP_MS } from "../../../../core/moderation/report.ts";
import { DEVICE_KEEP_MS } from "../../../../core/push/zone-pushes.ts";
import { DEAD_KEEP_MS } from "../../../../core/people/suppression.ts";
import { List } from "../../components/text-page.tsx";
import { COOKIE_MS } from "../../language.ts";
import { local, type PageContext } from "../../layout.tsx";
import type { LegalFacts } from "./legal.tsx";
import { OperatorBlock } from "./operator-block.tsx";

/** Privacy page, with the settings and numbers that are in force. */
export function privacyBody(ctx: PageContext, facts: LegalFacts): Child {
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

import { Hono } from "hono";
import type { PublicAlert } from "../../core/alert.ts";
import { Fault } from "../../core/fault.ts";
import { parse } from "../../core/input.ts";
import {
  conversationReportInput,
  REPORT_REASONS,
  REPORT_TEXT_MAX,
  reportInput,
} from "../../core/report.ts";
import { AlertLine } from "./alert-line.tsx";
import { Choice, type Draft, Lines, TroubleBox } from "./field.tsx";
import { filled, readForm } from "./form.ts";
import { type Frame, local, type Page, show, showFault, type Web, type WebEnv } from "./frame.tsx";
import { Sentences } from "./sentences.tsx";

const FIELDS = ["reason", "text"];
const NOTHING_YET: Draft = { given: {}, trouble: null };

/** Telling the moderators about an alert, or about a conversation from its own page. */
export function createReports({ service, frameOf }: Web): Hono<WebEnv> {
  const reports = new Hono<WebEnv>();

  reports.get("/alerts/:name/report", async (c) => {
    const frame = frameOf(c);
    service.requireModerators();
    const alert = await service.get(c.req.param("name"));
    const address = frame.links.report(alert.slug);
    if (alert.slug !== c.req.param("name")) return c.redirect(address, 301);
    return show(c, frame, alertReportPage(frame, alert, NOTHING_YET));
  });

  reports.post("/alerts/:name/report", async (c) => {
    const frame = frameOf(c);
    service.requireModerators();
    const given = await readForm(c, FIELDS);
    const alert = await service.get(c.req.param("name"));
    try {
      const input = parse(reportInput, { ...filled(given), alert: alert.id });
      await service.report(input, c.get("caller"));
    } catch (error) {
      if (!(error instanceof Fault) || error.code === "gone") throw error;
      const page = alertReportPage(frame, alert, { given, trouble: error });
      return showFault(c, frame, error, page);
    }
    const { back } = frame.words.report;
    return show(c, frame, thanksPage(frame, local(alert.url), back));
  });

  reports.get("/conversation/:token/report", async (c) => {
    const frame = frameOf(c);
    service.requireModerators();
    const token = c.req.param("token");
    await service.conversation(token);
    return show(c, frame, conversationReportPage(frame, token, NOTHING_YET));
  });

  reports.post("/conversation/:token/report", async (c) => {
    const frame = frameOf(c);
    service.requireModerators();
    const given = await readForm(c, FIELDS);
    const token = c.req.param("token");
    try {
      const input = parse(conversationReportInput, filled(given));
      await service.reportConversation(token, input, c.get("caller"));
    } catch (error) {
      if (!(error instanceof Fault) || error.code === "not_found") throw error;
      const page = conversationReportPage(frame, token, { given, trouble: error });
      return showFault(c, frame, error, page);
    }
    const { conversationBack } = frame.words.report;
    const address = local(frame.links.conversation(token));
    return show(c, frame, thanksPage(frame, address, conversationBack));
  });

  return reports;
}

function alertReportPage(frame: Frame, alert: PublicAlert, draft: Draft): Page {
  const { words, links } = frame;
  const { title, lead } = words.report;
  const address = links.report(alert.slug);
  return {
    title: draft.trouble === null ? title : words.errorTitle(title),
    access: draft.trouble === null ? "public" : "private",
    head: (
      <>
        <link rel="canonical" href={address} />
        <meta name="robots" content="noindex" />
      </>
    ),
    body: (
      <>
        <h1>{title}</h1>
        <AlertLine frame={frame} alert={alert} level={2} />
        <ReportForm frame={frame} action={local(address)} lead={lead} draft={draft} />
      </>
    ),
  };
}

function conversationReportPage(frame: Frame, token: string, draft: Draft): Page {
  const { words, links } = frame;
  const { conversationTitle, conversationLead, conversationBack } = words.report;
  const conversation = local(links.conversation(token));
  return {
    title: draft.trouble === null ? conversationTitle : words.errorTitle(conversationTitle),
    access: "private",
    body: (
      <>
        <h1>{conversationTitle}</h1>
        <ReportForm
          frame={frame}
          action={`${conversation}/report`}
          lead={conversationLead}
          draft={draft}
        />
        <p>
          <a href={conversation}>{conversationBack}</a>
        </p>
      </>
    ),
  };
}

function ReportForm({
  frame,
  action,
  lead,
  draft,
}: {
  readonly frame: Frame;
  readonly action: string;
  readonly lead: string;
  readonly draft: Draft;
}) {
  const { words } = frame;
  const { reason, choose, reasons, text, textHint, button } = words.report;
  const options = REPORT_REASONS.map((value) => [value, reasons[value]] as const);
  return (
    <form method="post" action={action}>
      <TroubleBox frame={frame} trouble={draft.trouble} labels={{ reason, text }} />
      <p>{lead}</p>
      <Choice draft={draft} name="reason" label={reason} options={[["", choose], ...options]} />
      <Lines
        draft={draft}
        name="text"
        label={text}
        hint={textHint}
        optional={words.field.optional}
        max={REPORT_TEXT_MAX}
        rows={5}
      />
      <button type="submit">{button}</button>
    </form>
  );
}

function thanksPage(frame: Frame, backAddress: string, back: string): Page {
  const { thanksTitle, thanks } = frame.words.report;
  return {
    title: thanksTitle,
    access: "private",
    body: (
      <>
        <h1>{thanksTitle}</h1>
        <Sentences of={[thanks]} />
        <p>
          <a href={backAddress}>{back}</a>
        </p>
      </>
    ),
  };
}

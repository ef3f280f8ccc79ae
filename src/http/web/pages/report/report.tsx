/** @jsxImportSource hono/jsx */
import { LinkLine, lastPage } from "../../components/elements.tsx";
import type { Context } from "hono";
import type { PublicAlert } from "../../../../core/alerts/alert.ts";
import { parse } from "../../../../core/input.ts";
import {
  conversationReportInput,
  REPORT_REASONS,
  REPORT_TEXT_MAX,
  reportInput,
} from "../../../../core/moderation/report.ts";
import { AlertCard } from "../../components/alert.tsx";
import {
  Select,
  type FormState,
  TextArea,
  optionsOf,
  Form,
  formPage,
  EMPTY_FORM,
} from "../../form/field.tsx";
import { withoutEmpty, readForm } from "../../form/form.ts";
import {
  type PageContext,
  local,
  type Page,
  type Web,
  usePage,
  onError,
} from "../../layout/layout.tsx";

const FIELDS = ["reason", "text"];

/** Report pages for alerts and conversations. */
export function reportRoutes({ get, post, service }: Web): void {
  get("/alerts/:name/report", async (c, ctx, { name }) => {
    service.moderation.requireModerators();
    const alert = await service.alerts.get(name);
    if (alert.slug !== name) return c.redirect(ctx.links.report(alert.slug), 301);
    if (isSent(c)) return thanksPage(ctx, { to: alert.url, label: ctx.t.report.back });
    return alertReportPage(ctx, alert, EMPTY_FORM);
  });

  post("/alerts/:name/report", async (c, ctx, { name }) => {
    service.moderation.requireModerators();
    const values = await readForm(c, FIELDS);
    const alert = await service.alerts.get(name);
    onError(c, (error) => alertReportPage(ctx, alert, { values, error }), ["gone"]);
    const input = parse(reportInput, { ...withoutEmpty(values), alert: alert.id });
    await service.reports.alert(input, c.get("caller"));
    return `${ctx.links.report(alert.slug)}?${SENT}`;
  });

  get("/conversation/:token/report", async (c, ctx, { token }) => {
    service.moderation.requireModerators();
    await service.conversations.conversation(token);
    const to = ctx.links.conversation(token);
    if (isSent(c)) return thanksPage(ctx, { to, label: ctx.t.report.conversationBack });
    return conversationReportPage(ctx, token, EMPTY_FORM);
  });

  post("/conversation/:token/report", async (c, ctx, { token }) => {
    service.moderation.requireModerators();
    const values = await readForm(c, FIELDS);
    onError(c, (error) => conversationReportPage(ctx, token, { values, error }), ["not_found"]);
    const input = parse(conversationReportInput, withoutEmpty(values));
    await service.reports.conversation(token, input, c.get("caller"));
    return `${ctx.links.conversation(token)}/report?${SENT}`;
  });
}

/** Query parameter of the page that follows a report. */
const SENT = "sent";

function isSent(c: Context): boolean {
  return c.req.query(SENT) !== undefined;
}

function alertReportPage(ctx: PageContext, alert: PublicAlert, draft: FormState): Page {
  const { t, links } = ctx;
  const { title, lead } = t.report;
  const address = links.report(alert.slug);
  return formPage(ctx, draft, {
    title,
    access: "public",
    head: (
      <>
        <link rel="canonical" href={address} />
        <meta name="robots" content="noindex" />
      </>
    ),
    body: (
      <>
        <AlertCard alert={alert} level={2} />
        <ReportForm action={address} lead={lead} draft={draft} />
      </>
    ),
  });
}

function conversationReportPage(ctx: PageContext, token: string, draft: FormState): Page {
  const { t, links } = ctx;
  const { conversationTitle, conversationLead, conversationBack } = t.report;
  const conversation = local(links.conversation(token));
  return formPage(ctx, draft, {
    title: conversationTitle,
    access: "private",
    body: (
      <>
        <ReportForm action={`${conversation}/report`} lead={conversationLead} draft={draft} />
        <LinkLine to={conversation} label={conversationBack} />
      </>
    ),
  });
}

function ReportForm({ action, lead, draft }: { action: string; lead: string; draft: FormState }) {
  const { t } = usePage();
  const { reason, choose, reasons, text, textHint, button } = t.report;
  const options = optionsOf(REPORT_REASONS, reasons);
  return (
    <Form action={action} draft={draft} labels={{ reason, text }}>
      <p>{lead}</p>
      <Select name="reason" options={[["", choose], ...options]} />
      <TextArea name="text" hint={textHint} isOptional max={REPORT_TEXT_MAX} rows={5} />
      <button type="submit">{button}</button>
    </Form>
  );
}

function thanksPage(ctx: PageContext, back: { readonly to: string; readonly label: string }): Page {
  const { thanksTitle, thanks } = ctx.t.report;
  return lastPage(ctx, thanksTitle, [thanks], back);
}

/** @jsxImportSource hono/jsx */
import { type PublicAlert, readerOf } from "../../../../core/alerts/alert.ts";
import {
  MESSAGE_TEXT_MAX,
  messageInput,
  SENDER_NAME_MAX,
} from "../../../../core/conversations/conversation.ts";
import { parse } from "../../../../core/input.ts";
import { AlertCard } from "../../components/alert.tsx";
import {
  type FormState,
  EmailField,
  TextField,
  TextArea,
  Form,
  formPage,
  EMPTY_FORM,
} from "../../form/field.tsx";
import { withoutEmpty, readForm } from "../../form/form.ts";
import {
  type PageContext,
  local,
  type Page,
  seeOther,
  showAgain,
  type Web,
  usePage,
} from "../../layout.tsx";

const FIELDS = ["name", "email", "message"];

/** Contact page: a message to the person behind an alert. */
export function contactRoutes({ get, post, service }: Web): void {
  get("/alerts/:name/contact", async (c, ctx) => {
    const alert = await service.get(c.req.param("name"));
    if (alert.slug !== c.req.param("name")) return c.redirect(alert.contactUrl, 301);
    return contactPage(ctx, alert, EMPTY_FORM);
  });

  post("/alerts/:name/contact", async (c, ctx) => {
    const values = await readForm(c, FIELDS);
    const alert = await service.get(c.req.param("name"));
    try {
      const { language } = ctx.t;
      const input = parse(messageInput, { ...withoutEmpty(values), alert: alert.id, language });
      const asked = await service.sendMessage(input, c.get("caller"));
      return seeOther(c, local(ctx.links.waiting(asked.ticket)));
    } catch (error) {
      return showAgain(
        c,
        ctx,
        error,
        (fault) => contactPage(ctx, alert, { values, error: fault }),
        ["gone"],
      );
    }
  });
}

function contactPage(ctx: PageContext, alert: PublicAlert, draft: FormState): Page {
  const { t } = ctx;
  const title = t.contact.title[readerOf(alert)];
  return formPage(ctx, draft, {
    title,
    access: "public",
    head: <link rel="canonical" href={alert.contactUrl} />,
    body: (
      <>
        <AlertCard alert={alert} level={2} />
        {alert.reachable ? (
          <ContactForm alert={alert} draft={draft} />
        ) : (
          <p class="notice">{alert.status === "resolved" ? t.contact.closed : t.contact.nobody}</p>
        )}
      </>
    ),
  });
}

function ContactForm({ alert, draft }: { alert: PublicAlert; draft: FormState }) {
  const { t } = usePage();
  const text = t.contact;
  const labels = { name: text.name, email: t.field.email, message: text.message };
  return (
    <Form action={local(alert.contactUrl)} draft={draft} labels={labels}>
      <p>{text.hidden({ reader: t.conversation.owner[readerOf(alert)] })}</p>
      <TextArea
        name="message"
        hint={`${text.messageHint[alert.type]} ${t.removed.hint}`}
        max={MESSAGE_TEXT_MAX}
        rows={6}
        required
      />
      <TextField name="name" isOptional max={SENDER_NAME_MAX} autocomplete="name" />
      <EmailField hint={text.emailHint} />
      <button type="submit">{t.continue}</button>
      <p class="hint">{text.beware}</p>
    </Form>
  );
}

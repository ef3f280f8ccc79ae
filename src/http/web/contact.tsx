import { Hono } from "hono";
import type { PublicAlert } from "../../core/alert.ts";
import { MESSAGE_TEXT_MAX, messageInput, SENDER_NAME_MAX } from "../../core/conversation.ts";
import { Fault } from "../../core/fault.ts";
import { parse } from "../../core/input.ts";
import { AlertLine, readerOf } from "./alert-line.tsx";
import { type Draft, Email, Line, Lines, TroubleBox } from "./field.tsx";
import { filled, readForm } from "./form.ts";
import {
  type Frame,
  local,
  type Page,
  seeOther,
  show,
  showFault,
  type Web,
  type WebEnv,
} from "./frame.tsx";

const FIELDS = ["name", "email", "message"];
const NOTHING_YET: Draft = { given: {}, trouble: null };

/** Writing to the person behind an alert. */
export function createContact({ service, frameOf }: Web): Hono<WebEnv> {
  const contact = new Hono<WebEnv>();

  contact.get("/alerts/:name/contact", async (c) => {
    const frame = frameOf(c);
    const alert = await service.get(c.req.param("name"));
    if (alert.slug !== c.req.param("name")) return c.redirect(alert.contactUrl, 301);
    return show(c, frame, contactPage(frame, alert, NOTHING_YET));
  });

  contact.post("/alerts/:name/contact", async (c) => {
    const frame = frameOf(c);
    const given = await readForm(c, FIELDS);
    const alert = await service.get(c.req.param("name"));
    try {
      const { language } = frame.words;
      const input = parse(messageInput, { ...filled(given), alert: alert.id, language });
      const asked = await service.message(input, c.get("caller"));
      return seeOther(c, local(frame.links.waiting(asked.ticket)));
    } catch (error) {
      if (!(error instanceof Fault) || error.code === "gone") throw error;
      const page = contactPage(frame, alert, { given, trouble: error });
      return showFault(c, frame, error, page);
    }
  });

  return contact;
}

function contactPage(frame: Frame, alert: PublicAlert, draft: Draft): Page {
  const { words } = frame;
  const title = words.contact.title[readerOf(alert)];
  return {
    title: draft.trouble === null ? title : words.errorTitle(title),
    access: draft.trouble === null ? "public" : "private",
    head: <link rel="canonical" href={alert.contactUrl} />,
    body: (
      <>
        <h1>{title}</h1>
        <AlertLine frame={frame} alert={alert} level={2} />
        {alert.reachable ? (
          <ContactForm frame={frame} alert={alert} draft={draft} />
        ) : (
          <p class="notice">
            {alert.status === "resolved" ? words.contact.closed : words.contact.nobody}
          </p>
        )}
      </>
    ),
  };
}

function ContactForm({
  frame,
  alert,
  draft,
}: {
  readonly frame: Frame;
  readonly alert: PublicAlert;
  readonly draft: Draft;
}) {
  const words = frame.words.contact;
  const labels = { name: words.name, email: words.email, message: words.message };
  return (
    <form method="post" action={local(alert.contactUrl)}>
      <TroubleBox frame={frame} trouble={draft.trouble} labels={labels} />
      <p>{words.hidden[readerOf(alert)]}</p>
      <Lines
        draft={draft}
        name="message"
        label={words.message}
        hint={`${words.messageHint[alert.type]} ${words.takenOut}`}
        max={MESSAGE_TEXT_MAX}
        rows={6}
        required
      />
      <Line
        draft={draft}
        name="name"
        label={words.name}
        optional={frame.words.field.optional}
        max={SENDER_NAME_MAX}
        autocomplete="name"
      />
      <Email draft={draft} label={words.email} hint={words.emailHint} />
      <button type="submit">{words.button}</button>
      <p class="hint">{words.beware}</p>
    </form>
  );
}

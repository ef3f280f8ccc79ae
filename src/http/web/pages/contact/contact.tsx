/** @jsxImportSource hono/jsx */
import { type PublicAlert, readerOf } from "../../../../core/alerts/alert.ts";
import {
  MESSAGE_TEXT_MAX,
  messageInput,
  SENDER_NAME_MAX,
} from "../../../../core/conversations/conversation.ts";
import { parse } from "../../../../core/input.ts";
import { ATTACHED_PHOTOS_MAX } from "../../../../core/photos/photos.ts";
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
import { draftAttributes, IDEMPOTENCY_KEY, withoutEmpty } from "../../form/form.ts";
import { idempotencyKey } from "../../../../core/pending/request.ts";
import {
  AttachedPhotos,
  PHOTO_FIRST,
  type StoredPhoto,
  receivePhotoForm,
} from "../../form/photo-field.tsx";
import { type PageContext, type Page, type Web, usePage } from "../../layout/layout.tsx";

const FIELDS = ["name", "email", "message", PHOTO_FIRST, IDEMPOTENCY_KEY];

/** Contact page: a message to the person behind an alert. */
export function contactRoutes({ get, post, service }: Web): void {
  get("/alerts/:name/contact", async (c, ctx, { name }) => {
    const alert = await service.alerts.get(name);
    if (alert.slug !== name) return c.redirect(alert.contactUrl, 301);
    return contactPage(ctx, alert, EMPTY_FORM, []);
  });

  post("/alerts/:name/contact", async (c, ctx, { name }) => {
    const alert = await service.alerts.get(name);
    const options = { fields: FIELDS, max: ATTACHED_PHOTOS_MAX, except: ["gone"] as const };
    const { values, refs } = await receivePhotoForm(c, service, options, (draft, kept) =>
      contactPage(ctx, alert, draft, kept),
    );
    const { language } = ctx.t;
    const input = parse(messageInput, { ...withoutEmpty(values), alert: alert.id, language });
    const key = idempotencyKey(values[IDEMPOTENCY_KEY]);
    const asked = await service.requests.sendMessage(input, c.get("caller"), refs, key);
    return ctx.links.waiting(asked.ticket);
  });
}

function contactPage(
  ctx: PageContext,
  alert: PublicAlert,
  draft: FormState,
  kept: readonly StoredPhoto[],
): Page {
  const { t } = ctx;
  const title = t.contact.title[readerOf(alert)];
  return formPage(ctx, draft, {
    title,
    access: "public",
    head: <link rel="canonical" href={alert.contactUrl} />,
    scripts: ["photos", "draft"],
    body: (
      <>
        <AlertCard alert={alert} level={2} />
        {alert.reachable ? (
          <ContactForm alert={alert} draft={draft} kept={kept} />
        ) : (
          <p class="notice">{alert.status === "resolved" ? t.contact.closed : t.contact.nobody}</p>
        )}
      </>
    ),
  });
}

function ContactForm(props: {
  alert: PublicAlert;
  draft: FormState;
  kept: readonly StoredPhoto[];
}) {
  const { t } = usePage();
  const { alert, draft, kept } = props;
  const text = t.contact;
  const labels = {
    name: text.name,
    email: t.field.email,
    message: text.message,
    photos: t.photoField.legend,
  };
  return (
    <Form
      action={alert.contactUrl}
      draft={draft}
      labels={labels}
      hasFiles
      more={draftAttributes(
        `message-${alert.shortCode}`,
        ["name", "email", "message", "photo", "photos"],
        t,
      )}
    >
      <p>{text.hidden({ reader: t.conversation.owner[readerOf(alert)] })}</p>
      <TextArea
        name="message"
        hint={`${text.messageHint[alert.type]} ${t.removed.hint}`}
        max={MESSAGE_TEXT_MAX}
        rows={6}
        required
      />
      <AttachedPhotos kept={kept} audience="two" />
      <TextField name="name" isOptional max={SENDER_NAME_MAX} autocomplete="name" />
      <EmailField hint={text.emailHint} />
      <button type="submit">{t.continue}</button>
      <p class="hint">{text.beware}</p>
    </Form>
  );
}

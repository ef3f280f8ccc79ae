/** @jsxImportSource hono/jsx */
import { LinkLine, lastPage } from "../../components/elements.tsx";
import { parse } from "../../../../core/input.ts";
import { LINK_PARTS_MAX, linksInput } from "../../../../core/owners/manage-links.ts";
import { type FormState, EmailField, Form, formPage } from "../../form/field.tsx";
import { withoutEmpty, type FormValues, readForm, readQuery } from "../../form/form.ts";
import { type PageContext, type Page, type Web, onError } from "../../layout/layout.tsx";
import { sentPage, sentTo, sentLink } from "../sign-in/sent.tsx";

/** Query parameter of the page that follows the removal of an alert, whose private link has ended with it. */
export const AFTER_REMOVAL = "removed";

/** Page for owners who lost their private link: sends it to the address they published with. */
export function findLinksRoutes({ get, post, service }: Web): void {
  get("/manage", (c, ctx) => {
    if (c.req.query(AFTER_REMOVAL) !== undefined)
      return lastPage(ctx, ctx.t.manage.removedTitle, [ctx.t.manage.removed]);
    const address = sentTo(c);
    if (address !== null)
      return sentPage(ctx, ctx.t.findMine.sent, address, ctx.links.requestManageLinks);
    const asked = readQuery(c, ["part"]);
    return requestPage(ctx, { values: asked, error: null });
  });

  post("/manage", async (c, ctx) => {
    const values = await readForm(c, ["email", "part"]);
    onError(c, (error) => requestPage(ctx, { values, error }));
    const input = parse(linksInput, withoutEmpty(values));
    const asked = await service.owners.requestManageLinks(input, c.get("caller"));
    return sentLink(ctx.links.requestManageLinks, asked);
  });
}

function requestPage(ctx: PageContext, draft: FormState): Page {
  const { t, links } = ctx;
  const text = t.findMine;
  const part = partOf(draft.values);
  return formPage(ctx, draft, {
    title: text.title,
    access: "public",
    body: (
      <>
        <Form action={links.requestManageLinks} draft={draft} labels={t.field}>
          <p class="lead">{text.lead}</p>
          {part !== null && (
            <>
              <p>{text.part({ part })}</p>
              <input type="hidden" name="part" value={String(part)} />
            </>
          )}
          <EmailField />
          <button type="submit">{text.button}</button>
        </Form>
        <LinkLine to={links.requestErasure} label={t.erase.link} />
      </>
    ),
  });
}

/** Requested part of a long list; null for the first. */
function partOf({ part = "" }: FormValues): number | null {
  const number = /^\d{1,4}$/.test(part) ? Number(part) : 1;
  return number > 1 && number <= LINK_PARTS_MAX ? number : null;
}

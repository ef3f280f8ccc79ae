/** @jsxImportSource hono/jsx */
import { LinkLine, Filled, privatePage } from "../../components/elements.tsx";
import type { Context } from "hono";
import type { Page, PageContext } from "../../layout/layout.tsx";

/** Query parameter with the masked mailbox that a link was sent to. */
const SENT = "sent";
/** Masked mailbox as `maskedMailbox` writes it. Longer text in a link could put a stranger's words on our page. */
const MASKED = /^[^\s<>&]?…@[\p{L}\p{N}[]?…$/u;

/** Address of the page that says where a link goes, after a form that asked for it by email. */
export function sentLink(link: string, { sentTo }: { readonly sentTo: string }): string {
  return `${link}?${new URLSearchParams({ [SENT]: sentTo }).toString()}`;
}

/** Masked mailbox in the address of the page; null without one. */
export function sentTo(c: Context): string | null {
  const masked = c.req.query(SENT) ?? "";
  return MASKED.test(masked) ? masked : null;
}

/** Page that says a link is on its way, with a way back after a typo in the address. */
export function sentPage(
  { t }: PageContext,
  sentence: Sentence,
  address: string,
  link: string,
): Page {
  return privatePage(
    t.waiting.title,
    <>
      <p class="lead">
        <SentTo sentence={sentence} address={address} />
      </p>
      <LinkLine to={link} label={t.waiting.otherAddress} />
    </>,
  );
}

type Sentence = (values: { address: string }) => string;

/** Sentence with a masked address, which a script shows in full to the person who typed it. */
export function SentTo({ sentence, address }: { sentence: Sentence; address: string }) {
  const value = <strong data-sent-to>{address}</strong>;
  return <Filled sentence={(slot) => sentence({ address: slot })} value={value} />;
}

/** @jsxImportSource hono/jsx */
import type { Child } from "hono/jsx";
import { contactUri, type Operator } from "../../../../settings/operator.ts";
import {
  type LegalPage,
  type OperatorText,
  operatorTextFor,
  type TextBlock,
} from "../../../../settings/operator-text.ts";
import { usePage } from "../../layout.tsx";

/** Name, postal address and contact of the operator, or a sentence that says that nobody is named. */
export function OperatorBlock({ operator }: { operator: Operator | null }) {
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
export function OperatorAdditions(props: {
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

/** @jsxImportSource hono/jsx */
import type { Child } from "hono/jsx";

/** Submit button. */
export function Submit(props: { label: Child; class?: "quiet" | "danger" | undefined }) {
  return (
    <button class={props.class} type="submit">
      {props.label}
    </button>
  );
}

/** Form of one button and hidden fields. */
export function ButtonForm(props: {
  label: Child;
  /** Address of the page itself by default. */
  action?: string;
  class?: "quiet" | "danger" | undefined;
  fields?: Readonly<Record<string, string>>;
}) {
  return (
    <form method="post" action={props.action}>
      {Object.entries(props.fields ?? {}).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <Submit label={props.label} class={props.class} />
    </form>
  );
}

/** Link that looks like a button: the main one of a page, or a quiet one. */
export function ButtonLink(props: { to: string; label: Child; isMain?: boolean; rel?: string }) {
  const name = props.isMain === true ? "button" : "button quiet";
  return (
    <a class={name} rel={props.rel} href={props.to}>
      {props.label}
    </a>
  );
}

/** Paragraph of one such link. */
export function ButtonLine(props: { to: string; label: Child; isMain?: boolean }) {
  return (
    <p>
      <ButtonLink {...props} />
    </p>
  );
}

/** Paragraph of one link. */
export function LinkLine({ to, label }: { to: string; label: Child }) {
  return (
    <p>
      <a href={to}>{label}</a>
    </p>
  );
}

/** Item of a list with one link. */
export function LinkItem({ to, label }: { to: string; label: Child }) {
  return (
    <li>
      <a href={to}>{label}</a>
    </li>
  );
}

/** Section with a heading, which others link to by its id. */
export function Section(props: { id: string; title: Child; class?: string; children?: Child }) {
  return (
    <section class={props.class} aria-labelledby={props.id}>
      <h2 id={props.id}>{props.title}</h2>
      {props.children}
    </section>
  );
}

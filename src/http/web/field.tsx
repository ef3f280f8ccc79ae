import type { Child } from "hono/jsx";
import type { Given, Trouble } from "./form.ts";
import type { Frame } from "./frame.tsx";

/** A form as it is drawn: what was typed so far and what is wrong with it. */
export type Draft = { readonly given: Given; readonly trouble: Trouble | null };

type FieldProps = {
  readonly draft: Draft;
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  /** Said after the label of a field that may stay empty. */
  readonly optional?: string | undefined;
};

/** One line of text. */
export function Line(
  props: FieldProps & {
    readonly max: number;
    readonly type?: "text" | "email" | "date" | "search";
    readonly autocomplete?: string;
    readonly required?: boolean;
  },
) {
  const type = props.type ?? "text";
  return (
    <Field {...props}>
      <input
        {...wiring(props)}
        type={type}
        value={props.draft.given[props.name] ?? ""}
        maxlength={type === "date" ? undefined : props.max}
        autocomplete={props.autocomplete ?? "off"}
        inputmode={type === "email" || type === "search" ? type : undefined}
        required={props.required}
      />
    </Field>
  );
}

/** Several lines of text. */
export function Lines(
  props: FieldProps & { readonly max: number; readonly rows: number; readonly required?: boolean },
) {
  return (
    <Field {...props}>
      <textarea
        {...wiring(props)}
        rows={props.rows}
        maxlength={props.max}
        autocomplete="off"
        required={props.required}
      >
        {/* A parser drops the first line break of a textarea. */}
        {`\n${props.draft.given[props.name] ?? ""}`}
      </textarea>
    </Field>
  );
}

/** One of several. */
export function Choice(
  props: FieldProps & { readonly options: readonly (readonly [value: string, label: string])[] },
) {
  const chosen = props.draft.given[props.name] ?? "";
  return (
    <Field {...props}>
      <select {...wiring(props)}>
        {props.options.map(([value, label]) => (
          <option value={value} selected={value === chosen}>
            {label}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** What is wrong with the form, each point leading to its field. */
export function TroubleBox({
  frame,
  trouble,
  labels,
}: {
  readonly frame: Frame;
  readonly trouble: Trouble | null;
  readonly labels: Readonly<Record<string, string>>;
}) {
  if (trouble === null) return null;
  const { words } = frame;
  return (
    <div class="trouble" role="alert" tabindex={-1} autofocus>
      <h2>{words.trouble.heading}</h2>
      {trouble.fields.length === 0 ? (
        <p>{trouble.message}</p>
      ) : (
        <ul>
          {trouble.fields.map(({ field, message }) => (
            <li>
              <a href={`#${idOf(field)}`}>{words.trouble.entry(labels[field] ?? field, message)}</a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Field(props: FieldProps & { readonly children?: Child }) {
  const id = idOf(props.name);
  const wrong = messageOf(props);
  return (
    <div class="field">
      <label for={id}>
        {props.label} {props.optional && <span class="quiet">{props.optional}</span>}
      </label>
      {props.hint && (
        <p class="hint" id={`${id}-hint`}>
          {props.hint}
        </p>
      )}
      {wrong && (
        <p class="wrong" id={`${id}-wrong`}>
          {`${props.label} ${wrong}`}
        </p>
      )}
      {props.children}
    </div>
  );
}

function wiring(props: FieldProps) {
  const id = idOf(props.name);
  const wrong = messageOf(props) !== undefined;
  const described = [props.hint && `${id}-hint`, wrong && `${id}-wrong`].filter(Boolean).join(" ");
  return {
    id,
    name: props.name,
    "aria-describedby": described === "" ? undefined : described,
    "aria-invalid": wrong ? ("true" as const) : undefined,
  };
}

function messageOf({ draft, name }: FieldProps): string | undefined {
  return draft.trouble?.fields.find(({ field }) => field === name)?.message;
}

function idOf(name: string): string {
  return `field-${name}`;
}

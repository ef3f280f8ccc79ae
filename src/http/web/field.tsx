import { type Child, useContext } from "hono/jsx";
import type { FieldReason } from "../../core/fault-reason.ts";
import { EMAIL_MAX } from "../../core/input.ts";
import { faultInWords, fieldInWords } from "./fault-words.ts";
import type { Given, Trouble } from "./form.ts";
import { type Frame, Spoken } from "./frame.tsx";

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
    /** More attributes, for scripts. */
    readonly more?: Readonly<Record<string, string>>;
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
        {...props.more}
      />
    </Field>
  );
}

/** The address a letter shall go to: every form that asks for one calls it `email`. */
export function Email(props: Omit<FieldProps, "name" | "optional">) {
  return (
    <Line {...props} name="email" type="email" max={EMAIL_MAX} autocomplete="email" required />
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
  props: FieldProps & {
    readonly options: readonly (readonly [value: string, label: string])[];
    readonly required?: boolean;
  },
) {
  const chosen = props.draft.given[props.name] ?? "";
  return (
    <Field {...props}>
      <select {...wiring(props)} required={props.required}>
        {props.options.map(([value, label]) => (
          <option value={value} selected={value === chosen}>
            {label}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** One of a few, all in sight; the last is chosen to begin with. */
export function Ticks({
  name,
  legend,
  options,
  chosen = options.at(-1)?.[0],
}: {
  readonly name: string;
  readonly legend: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly chosen?: string | undefined;
}) {
  return (
    <fieldset class="ticks">
      <legend>{legend}</legend>
      {options.map(([value, label]) => (
        <label class="tick">
          <input type="radio" name={name} value={value} checked={value === chosen} />
          {label}
        </label>
      ))}
    </fieldset>
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
        <p>{faultInWords(words, trouble)}</p>
      ) : (
        <ul>
          {trouble.fields.map(({ field, reason }) => (
            <li>
              <a href={`#${idOf(field)}`}>{fieldInWords(words, labels[field] ?? field, reason)}</a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Field(props: FieldProps & { readonly children?: Child }) {
  const id = idOf(props.name);
  const words = useContext(Spoken);
  const wrong = reasonOf(props);
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
          {fieldInWords(words, props.label, wrong)}
        </p>
      )}
      {props.children}
    </div>
  );
}

function wiring(props: FieldProps) {
  const id = idOf(props.name);
  const wrong = reasonOf(props) !== undefined;
  const described = [props.hint && `${id}-hint`, wrong && `${id}-wrong`].filter(Boolean).join(" ");
  return {
    id,
    name: props.name,
    "aria-describedby": described === "" ? undefined : described,
    "aria-invalid": wrong ? ("true" as const) : undefined,
  };
}

function reasonOf({ draft, name }: FieldProps): FieldReason | undefined {
  return draft.trouble?.fields.find(({ field }) => field === name)?.reason;
}

function idOf(name: string): string {
  return `field-${name}`;
}

/** @jsxImportSource hono/jsx */
import type { Child } from "hono/jsx";
import type { FieldReason } from "../../../core/fault-sentences.ts";
import { EMAIL_MAX } from "../../../core/input.ts";
import { faultMessage, fieldMessage } from "./fault-messages.ts";
import type { FormValues, FormError } from "./form.ts";
import { usePage } from "../layout.tsx";

/** State of a form: what was typed so far and its error. */
export type FormState = { readonly values: FormValues; readonly error: FormError | null };
export const EMPTY_FORM: FormState = { values: {}, error: null };

type FieldProps = {
  readonly draft: FormState;
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  /** Note after the label of an optional field. */
  readonly optional?: string | undefined;
};

/** One line of text. */
export function TextField(
  props: FieldProps & {
    max: number;
    type?: "text" | "email" | "date" | "search";
    autocomplete?: string;
    required?: boolean;
    /** More attributes, for scripts. */
    more?: Readonly<Record<string, string>>;
  },
) {
  const type = props.type ?? "text";
  return (
    <Field {...props}>
      <input
        {...inputAttributes(props)}
        type={type}
        value={props.draft.values[props.name] ?? ""}
        maxlength={type === "date" ? undefined : props.max}
        autocomplete={props.autocomplete ?? "off"}
        inputmode={type === "email" || type === "search" ? type : undefined}
        required={props.required}
        {...props.more}
      />
    </Field>
  );
}

/** Email address field; every form names it `email`. */
export function EmailField(props: Omit<FieldProps, "name" | "optional">) {
  return (
    <TextField {...props} name="email" type="email" max={EMAIL_MAX} autocomplete="email" required />
  );
}

/** Several lines of text. */
export function TextArea(props: FieldProps & { max: number; rows: number; required?: boolean }) {
  return (
    <Field {...props}>
      <textarea
        {...inputAttributes(props)}
        rows={props.rows}
        maxlength={props.max}
        autocomplete="off"
        required={props.required}
      >
        {/* A parser drops the first line break of a textarea. */}
        {`\n${props.draft.values[props.name] ?? ""}`}
      </textarea>
    </Field>
  );
}

/** Drop-down list. */
export function Select(
  props: FieldProps & {
    options: readonly (readonly [value: string, label: string])[];
    required?: boolean;
  },
) {
  const chosen = props.draft.values[props.name] ?? "";
  return (
    <Field {...props}>
      <select {...inputAttributes(props)} required={props.required}>
        {props.options.map(([value, label]) => (
          <option value={value} selected={value === chosen}>
            {label}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** Options for the values of an enumeration, in its order. */
export function optionsOf<Value extends string>(
  values: readonly Value[],
  labels: Readonly<Record<Value, string>>,
): (readonly [value: string, label: string])[] {
  return values.map((value) => [value, labels[value]]);
}

/** Radio buttons; the last one is selected by default. */
export function RadioGroup({
  name,
  legend,
  options,
  chosen = options.at(-1)?.[0],
}: {
  name: string;
  legend: string;
  options: readonly (readonly [value: string, label: string])[];
  chosen?: string | undefined;
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

/** Error summary above a form, with a link to each invalid field. */
export function ErrorSummary({
  formError,
  labels,
}: {
  formError: FormError | null;
  labels: Readonly<Record<string, string>>;
}) {
  const { t } = usePage();
  if (formError === null) return null;

  return (
    <div class="trouble" role="alert" tabindex={-1} autofocus>
      <h2>{t.trouble.heading}</h2>
      {formError.fields.length === 0 ? (
        <p>{faultMessage(t, formError)}</p>
      ) : (
        <ul>
          {formError.fields.map(({ field, reason }) => (
            <li>
              <a href={`#${idOf(field)}`}>{fieldMessage(t, labels[field] ?? field, reason)}</a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Field(props: FieldProps & { children?: Child }) {
  const id = idOf(props.name);
  const { t } = usePage();
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
          {fieldMessage(t, props.label, wrong)}
        </p>
      )}
      {props.children}
    </div>
  );
}

function inputAttributes(props: FieldProps) {
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
  return draft.error?.fields.find(({ field }) => field === name)?.reason;
}

function idOf(name: string): string {
  return `field-${name}`;
}

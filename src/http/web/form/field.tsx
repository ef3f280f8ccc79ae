/** @jsxImportSource hono/jsx */
import { capitalize } from "../../../messages/locale.ts";
import { type Fault, faultSentence, type FieldReason } from "../../../core/fault.ts";
import { sayOf } from "../../../messages/compile.ts";
import { ERROR_MESSAGES, type PageMessages } from "../../../messages/messages.ts";
import { townName } from "../components/town-name.ts";
import { LinkItem } from "../components/elements.tsx";
import { type Child, createContext, useContext } from "hono/jsx";
import { EMAIL_MAX } from "../../../core/input.ts";
import type { FormValues, FormError } from "./form.ts";
import { type Page, type PageContext, usePage, local } from "../layout/layout.tsx";
import { ZONE_FREQUENCIES } from "../../../core/zones/zone.ts";

/** Sentence for an error: for its reason or, without one, for its code. */
export function faultMessage(
  { pageLanguage }: PageMessages,
  { code, why }: Pick<Fault, "code" | "why">,
): string {
  const errors = ERROR_MESSAGES[pageLanguage];
  return why === null ? errors.general[code] : faultSentence(errors, why);
}

/** Label and message: "Colour: please fill this in". A question gets no colon: "Which animal? Please fill this in". */
export function fieldMessage(t: PageMessages, label: string, reason: FieldReason): string {
  const said = fieldReasonMessage(t, reason);
  return label.endsWith("?")
    ? `${label} ${capitalize(said)}`
    : t.named({ headline: label, name: said });
}

function fieldReasonMessage(t: PageMessages, reason: FieldReason): string {
  const { field } = ERROR_MESSAGES[t.pageLanguage];
  const message = field[reason.kind === "before_loss" ? "too_early" : reason.kind];
  const towns = "choices" in reason ? reason.choices.map((town) => townName(t, town)) : [];
  return sayOf(message, {
    ...reason,
    ...("day" in reason ? { day: t.day(reason.day) } : {}),
    town: towns[0],
    towns: t.or(towns),
  });
}

/** State of a form: what was typed so far and its error. */
export type FormState = { readonly values: FormValues; readonly error: FormError | null };
export const EMPTY_FORM: FormState = { values: {}, error: null };

/** State of a form, and the labels of its fields by name. */
type FormProps = {
  readonly draft: FormState;
  readonly labels: Readonly<Record<string, string>>;
  readonly children?: Child;
};

const FormContext = createContext<FormProps>({ draft: EMPTY_FORM, labels: {} });

/** Form around the field being rendered. Only components may call it. */
export function useForm(): FormProps {
  return useContext(FormContext);
}

/** Posted form. */
export function Form(
  props: FormProps & {
    action: string;
    hasFiles?: boolean;
    /** More attributes, for scripts. */
    more?: Readonly<Record<`data-${string}`, string>>;
  },
) {
  return (
    <form
      method="post"
      action={local(props.action)}
      enctype={props.hasFiles ? "multipart/form-data" : undefined}
      {...props.more}
    >
      <FormContents {...props} />
    </form>
  );
}

/** Error summary and fields, for a form that `Form` does not cover. */
export function FormContents({ draft, labels, children }: FormProps) {
  return (
    <FormContext.Provider value={{ draft, labels }}>
      <ErrorSummary formError={draft.error} labels={labels} />
      {children}
    </FormContext.Provider>
  );
}

/** Page with a heading and a form. A page with an error says so in its title, and is private: it answers a form. */
export function formPage({ t }: PageContext, { error }: FormState, page: Page): Page {
  return {
    ...page,
    title: error === null ? page.title : t.errorTitle({ title: page.title }),
    access: error === null ? page.access : "private",
    body: (
      <>
        <h1>{page.title}</h1>
        {page.body}
      </>
    ),
  };
}

type FieldProps = {
  readonly name: string;
  readonly hint?: string | undefined;
  /** True adds a note to the label. */
  readonly isOptional?: boolean;
};

/** One line of text. */
export function TextField(
  props: FieldProps & {
    max: number;
    type?: "text" | "email" | "date" | "time" | "search";
    autocomplete?: string;
    required?: boolean;
    /** More attributes, for scripts. */
    more?: Readonly<Record<string, string>>;
  },
) {
  const { draft } = useForm();
  const type = props.type ?? "text";
  return (
    <Field {...props}>
      <input
        {...inputAttributes(props)}
        type={type}
        value={draft.values[props.name] ?? ""}
        maxlength={type === "date" || type === "time" ? undefined : props.max}
        autocomplete={props.autocomplete}
        inputmode={type === "email" || type === "search" ? type : undefined}
        required={props.required}
        {...props.more}
      />
    </Field>
  );
}

/** Email address field; every form names it `email`. */
export function EmailField(props: Pick<FieldProps, "hint">) {
  return (
    <TextField {...props} name="email" type="email" max={EMAIL_MAX} autocomplete="email" required />
  );
}

/** Several lines of text. */
export function TextArea(props: FieldProps & { max: number; rows: number; required?: boolean }) {
  const { draft } = useForm();
  return (
    <Field {...props}>
      <textarea
        {...inputAttributes(props)}
        rows={props.rows}
        maxlength={props.max}
        required={props.required}
      >
        {/* A parser drops the first line break of a textarea. */}
        {`\n${draft.values[props.name] ?? ""}`}
      </textarea>
    </Field>
  );
}

/** Drop-down list. */
export function Select(
  props: FieldProps & {
    options: readonly Option[];
    /** More options, each list under its label. */
    groups?: readonly { readonly label: string; readonly options: readonly Option[] }[];
    /** Value selected while the form has none. */
    otherwise?: string;
    required?: boolean;
  },
) {
  const { draft } = useForm();
  const chosen = draft.values[props.name] ?? props.otherwise ?? "";
  return (
    <Field {...props}>
      <select {...inputAttributes(props)} required={props.required}>
        <Options options={props.options} chosen={chosen} />
        {props.groups?.map(({ label, options }) => (
          <optgroup label={label}>
            <Options options={options} chosen={chosen} />
          </optgroup>
        ))}
      </select>
    </Field>
  );
}

type Option = readonly [value: string, label: string];

function Options({ options, chosen }: { options: readonly Option[]; chosen: string }) {
  return options.map(([value, label]) => (
    <option value={value} selected={value === chosen}>
      {label}
    </option>
  ));
}

/** Options for the values of an enumeration, in its order. */
export function optionsOf<Value extends string>(
  values: readonly Value[],
  labels: Readonly<Record<Value, string>>,
): (readonly [value: string, label: string])[] {
  return values.map((value) => [value, labels[value]]);
}

/** Radio buttons. The last one is selected by default, none if one is required. */
export function RadioGroup(props: {
  name: string;
  legend: string;
  options: readonly (readonly [value: string, label: Child])[];
  chosen?: string | undefined;
  class?: "ticks" | "either" | "picks";
  required?: boolean;
}) {
  const { name, legend, options, required = false } = props;
  const chosen = props.chosen ?? (required ? undefined : options.at(-1)?.[0]);
  const wrong = reasonOf(name);
  const id = idOf(name);
  return (
    <fieldset class={props.class ?? "ticks"} aria-describedby={wrong && `${id}-wrong`}>
      <legend>{legend}</legend>
      {wrong && (
        <p class="wrong" id={`${id}-wrong`}>
          {fieldMessage(usePage().t, legend, wrong)}
        </p>
      )}
      {options.map(([value, label], at) => (
        <label class="tick">
          <input
            id={at === 0 ? id : undefined}
            type="radio"
            name={name}
            value={value}
            checked={value === chosen}
            required={required}
            aria-invalid={wrong ? ("true" as const) : undefined}
          />
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
            <LinkItem
              to={`#${idOf(field)}`}
              label={fieldMessage(t, labels[field] ?? field, reason)}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

function Field(props: FieldProps & { children?: Child }) {
  const id = idOf(props.name);
  const { t } = usePage();
  const { labels } = useForm();
  const label = labels[props.name] ?? props.name;
  const wrong = reasonOf(props.name);
  return (
    <div class="field">
      <label for={id}>
        {label} {props.isOptional && <span class="quiet">{t.field.optional}</span>}
      </label>
      {props.hint && (
        <p class="hint" id={`${id}-hint`}>
          {props.hint}
        </p>
      )}
      {wrong && (
        <p class="wrong" id={`${id}-wrong`}>
          {fieldMessage(t, label, wrong)}
        </p>
      )}
      {props.children}
    </div>
  );
}

function inputAttributes(props: FieldProps) {
  const id = idOf(props.name);
  const wrong = reasonOf(props.name) !== undefined;
  const described = [props.hint && `${id}-hint`, wrong && `${id}-wrong`].filter(Boolean).join(" ");
  return {
    id,
    name: props.name,
    "aria-describedby": described === "" ? undefined : described,
    "aria-invalid": wrong ? ("true" as const) : undefined,
  };
}

function reasonOf(name: string): FieldReason | undefined {
  const { draft } = useForm();
  return draft.error?.fields.find(({ field }) => field === name)?.reason;
}

function idOf(name: string): string {
  return `field-${name}`;
}

/** Choice of how often emails about a zone are sent; none is chosen at first for zones that differ. */
export function FrequencyField({ chosen }: { chosen: string | undefined }) {
  const { frequency } = usePage().t;
  return (
    <RadioGroup
      name="frequency"
      legend={frequency.legend}
      options={optionsOf(ZONE_FREQUENCIES, frequency.choice)}
      chosen={chosen}
      required
    />
  );
}

import { IntlMessageFormat } from "intl-messageformat";

/** Messages of one language, as its JSON file holds them: texts in ICU MessageFormat, in groups, some in lists. */
export type MessageFile = { readonly [key: string]: string | readonly string[] | MessageFile };

/** Arguments of each message that has some, by its path: `{ "home.unknown": { place: Argument } }`. */
type ArgumentsByPath = object;

/** Value that stands for an argument. One that a message counts by is a number. */
export type Argument = string | number;

/**
 * Messages compiled for use: a text without arguments is a string, one with arguments a function of them. Keys are those
 * of the English file.
 */
export type Compiled<File, Arguments extends ArgumentsByPath, Path extends string = ""> = {
  readonly [Key in keyof File & string]: File[Key] extends string
    ? `${Path}${Key}` extends keyof Arguments
      ? (values: Arguments[`${Path}${Key}` & keyof Arguments]) => string
      : string
    : File[Key] extends readonly string[]
      ? readonly string[]
      : Compiled<File[Key], Arguments, `${Path}${Key}.`>;
};

/** BCP 47 tag by which a message writes numbers and plurals, and a town after the language's word for "of". */
type MessageLocale = { readonly tag: string; readonly of: (town: string) => string };

/** Compiles the messages of a file. A text is parsed when it is first said. */
export function compileMessages<File extends MessageFile, Arguments extends ArgumentsByPath>(
  file: MessageFile,
  locale: MessageLocale,
): Compiled<File, Arguments> {
  const compiled = Object.entries(file).map(([key, message]) => [
    key,
    typeof message === "string"
      ? compileText(message, locale)
      : Array.isArray(message)
        ? message
        : compileMessages(message as MessageFile, locale),
  ]);
  return Object.fromEntries(compiled);
}

/** Message with its arguments, if it has any. */
export function say<Values>(
  message: string | ((values: Values) => string),
  values: Values,
): string {
  return typeof message === "string" ? message : message(values);
}

/** The same for one of several messages, whose arguments are among the values. */
export function sayOf(message: string | ((values: never) => string), values: object): string {
  return typeof message === "string" ? message : message(values as never);
}

/** Argument that a translation may use in place of `town`: the town after "of". */
export const OF_TOWN = "ofTown";

/** Braces between apostrophes are themselves: `'{name}'` says "{name}". */
const QUOTED = /'(\{[^']*)'/g;

function compileText(
  text: string,
  { tag, of }: MessageLocale,
): string | ((values: Readonly<Record<string, Argument>>) => string) {
  if (!text.replace(QUOTED, "").includes("{")) return text.replace(QUOTED, "$1");
  let format: IntlMessageFormat | null = null;
  return (values) => {
    format ??= new IntlMessageFormat(text, tag, undefined, { ignoreTag: true });
    return String(format.format({ ...values, [OF_TOWN]: of(String(values["town"] ?? "")) }));
  };
}

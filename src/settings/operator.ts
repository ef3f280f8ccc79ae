/** Person or organisation that runs this instance, as it names itself in public. */
export type Operator = {
  readonly name: string;
  readonly contact: OperatorContact | null;
  /** Postal address in one line. */
  readonly address: string | null;
};

/** Published way to reach the operator: a mailbox, or the `https:` address of a page. */
export type OperatorContact =
  | { readonly kind: "email"; readonly address: string }
  | { readonly kind: "page"; readonly address: string };

/** URI of a contact: `mailto:…` or `https://…`. */
export function contactUri({ kind, address }: OperatorContact): string {
  if (kind === "page") return address;
  // RFC 6068: everything else that has a meaning in a URI is encoded.
  return `mailto:${encodeURIComponent(address).replaceAll("%40", "@").replaceAll("%2B", "+")}`;
}

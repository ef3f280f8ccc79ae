import { HtmlValidate } from "html-validate";

const validator = new HtmlValidate({
  root: true,
  extends: ["html-validate:recommended", "html-validate:standard"],
  rules: {
    // How things are spelt, where the standard allows either and hono/jsx chooses.
    "doctype-style": "off",
    "void-style": "off",
    "attribute-boolean-style": "off",
    "attribute-empty-style": "off",
    // Boxes to tick share a name as radio buttons do: the values that were ticked make a list.
    "form-dup-name": ["error", { shared: ["radio", "checkbox", "submit", "button", "reset"] }],
    // A `pre` that is wider than the page is scrolled, and so is a region with a name, but it stays a `pre`.
    "prefer-native-element": ["error", { exclude: ["region"] }],
    // As long as the names of animals and towns make it; whoever shows it cuts it.
    "long-title": "off",
  },
});

/** HTML errors of a page, one line each. */
export async function markupErrors({ source }: { readonly source: string }): Promise<string[]> {
  const { results } = await validator.validateString(source);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, selector, message }) => `html ${ruleId}: ${selector} (${message})`),
  );
}

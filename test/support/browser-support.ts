import compatibility, {
  type BrowserName,
  type Identifier as Entry,
  type SimpleSupportStatement,
} from "@mdn/browser-compat-data";
import { type AnyNode, type Expression, type Node, parse, type Pattern } from "acorn";
import packageJson from "../../package.json" with { type: "json" };

// Compares scripts and style sheets with MDN's data on browsers. It knows no types: a member such as `toSpliced` counts as
// missing where it is too new in every interface that has a member of that name, of those that the browsers have.

const BROWSERS: Readonly<Record<string, BrowserName>> = {
  safari: "safari",
  ios_saf: "safari_ios",
  chrome: "chrome",
  and_chr: "chrome_android",
  firefox: "firefox",
  and_ff: "firefox_android",
};

/** Oldest browsers that the pages support, as package.json names them. */
const OLDEST = packageJson.browserslist.map((line) => {
  const [, name = "", version = ""] = /^(\w+) >= ([\d.]+)$/.exec(line) ?? [];
  const browser = BROWSERS[name];
  if (browser === undefined) throw new Error(`package.json names an unknown browser: ${line}`);
  return { browser, version, label: `${name} ${version}` };
});

/** Features of JavaScript and the DOM that a script uses and that one of the browsers lacks. Throws for syntax after ES2022. */
export function missingInScript(source: string): string[] {
  const used: (readonly Feature[])[] = [];
  for (const node of nodesOf(parse(source, { ecmaVersion: 2022, sourceType: "module" }))) {
    switch (node.type) {
      case "Identifier":
        used.push(API.globals.get(node.name) ?? []);
        break;
      case "MemberExpression": {
        const name = nameOf(node.property, node.computed);
        const object = node.object.type === "Identifier" ? node.object.name : "";
        used.push(API.members.get(`${object}.${name}`) ?? API.members.get(name) ?? []);
        break;
      }
      case "ObjectPattern":
        for (const one of node.properties)
          if (one.type === "Property")
            used.push(API.members.get(nameOf(one.key, one.computed)) ?? []);
        break;
      case "ObjectExpression":
        for (const one of node.properties) {
          if (one.type !== "Property") continue;
          const name = nameOf(one.key, one.computed);
          used.push(API.members.get(name) ?? []);
          // Of an option that a browser does not know, only the values are refused.
          if (one.value.type === "Literal")
            used.push(API.choices.get(`${name}: ${String(one.value.value)}`) ?? []);
        }
        break;
      case "StaticBlock":
        used.push([STATIC_BLOCK]);
        break;
      case "Literal":
        if (/\(\?<[=!]/.test(node.regex?.pattern ?? "")) used.push([LOOKBEHIND]);
        if (/:has\(/.test(String(node.value))) used.push([HAS]);
        break;
    }
  }
  return sentences(used);
}

/** Features of CSS that a style sheet uses and that one of the browsers lacks, with those browsers. */
export function missingInStyle(source: string): string[] {
  const sheet = source.replace(/\/\*.*?\*\/|"[^"]*"|'[^']*'/gs, "");
  const selectors = sheet.match(/[^{};]*\{/g)?.join("") ?? "";
  const features = (kind: string, text: string, pattern: RegExp) => {
    const known = featuresBelow(compatibility.css[kind]!);
    return [...text.matchAll(pattern)].map(([, name = ""]) => known.get(name) ?? []);
  };
  return sentences([
    ...features("properties", sheet, /[{;]\s*([a-z-]+)\s*:/g),
    ...features("selectors", selectors, /::?([a-z-]+)/g),
    ...features("at-rules", sheet, /@([a-z-]+)/g),
    ...features("types", sheet, /([a-z-]+)\(/g),
  ]);
}

type Feature = { readonly path: string; readonly lacking: readonly string[] };

/** Sentences about the features of which no supported form has the name that is used. */
function sentences(used: readonly (readonly Feature[])[]): string[] {
  const missing = used.flatMap((features) =>
    features.length > 0 && features.every(({ lacking }) => lacking.length > 0)
      ? features.slice(0, 1)
      : [],
  );
  return [...new Set(missing.map(({ path, lacking }) => `${path}: not in ${lacking.join(", ")}`))];
}

function* nodesOf(node: Node): Generator<AnyNode> {
  yield node as AnyNode;
  for (const child of Object.values(node).flat())
    if (typeof child?.type === "string") yield* nodesOf(child);
}

/** Name of a property; "" for one that is computed. */
function nameOf(key: Expression | Pattern | AnyNode, isComputed: boolean): string {
  if (key.type === "Identifier" && !isComputed) return key.name;
  return key.type === "Literal" ? String(key.value) : "";
}

function featureOf(path: string, { __compat }: Entry): Feature {
  const lacking = OLDEST.filter(({ browser, version }) => {
    const support = [__compat?.support[browser] ?? []].flat();
    return __compat !== undefined && !support.some((one) => isIn(one, version));
  });
  return { path, lacking: lacking.map(({ label }) => label) };
}

function isIn(support: SimpleSupportStatement, version: string): boolean {
  const { version_added: added, version_removed: removed, flags, prefix } = support;
  if (added === false || flags !== undefined || prefix !== undefined) return false;
  const isSince = (since: string) => Bun.semver.order(full(since), full(version)) <= 0;
  return isSince(added) && !(removed !== undefined && isSince(removed));
}

/** Version with three numbers; "≤37" and "preview" as MDN writes them. */
function full(version: string): string {
  if (version === "preview") return "9999.0.0";
  return [...version.replace("≤", "").split("."), "0", "0"].slice(0, 3).join(".");
}

const LOOKBEHIND = featureOf(
  "lookbehind in a regular expression",
  compatibility.javascript["regular_expressions"]!["lookbehind_assertion"]!,
);
const STATIC_BLOCK = featureOf(
  "static block of a class",
  compatibility.javascript["classes"]!["static"]!["initialization_blocks"]!,
);
const HAS = featureOf(":has()", compatibility.css["selectors"]!["has"]!);

const API = collectApi();

/**
 * Globals, members and values of options, each by its name; members also by that of the global that has them. A member of
 * an interface that is missing itself stands only there: whoever gets at such an object uses another missing name first.
 */
function collectApi() {
  const globals = new Map<string, Feature[]>();
  const members = new Map<string, Feature[]>();
  const choices = new Map<string, Feature[]>();
  const add = (to: Map<string, Feature[]>, name: string, feature: Feature) =>
    void to.set(name, [...(to.get(name) ?? []), feature]);

  function addMembers(owner: string, tree: Entry): void {
    const isThere = featureOf(owner, tree).lacking.length === 0;
    for (const [key, entry] of childrenOf(tree)) {
      const feature = featureOf(`${owner}.${key}`, entry);
      const name = key.replace(/_static$/, "");
      add(members, `${owner}.${name}`, feature);
      if (isThere && name === key && !key.endsWith("_event")) add(members, name, feature);
      addChoices(entry);
      // Intl has interfaces of its own.
      if (/^[A-Z]/.test(key)) addMembers(key, entry);
    }
  }
  function addChoices(tree: Entry): void {
    for (const [key, entry] of childrenOf(tree)) {
      const [, option] = /^(?:options_)?(\w+)_parameter$/.exec(key) ?? [];
      for (const [value, choice] of option === undefined ? [] : childrenOf(entry))
        add(choices, `${option}: ${value}`, featureOf(`${key}.${value}`, choice));
      addChoices(entry);
    }
  }
  for (const tree of [compatibility.api, compatibility.javascript["builtins"]!])
    for (const [name, entry] of childrenOf(tree)) {
      add(globals, name, featureOf(name, entry));
      addChoices(entry);
      addMembers(name, entry);
    }
  return { globals, members, choices };
}

/** All features of a part of the data by their own names. */
function featuresBelow(tree: Entry, found = new Map<string, Feature[]>()) {
  for (const [key, entry] of childrenOf(tree)) {
    found.set(key, [...(found.get(key) ?? []), featureOf(key, entry)]);
    featuresBelow(entry, found);
  }
  return found;
}

function childrenOf({ __compat, ...children }: Entry): [string, Entry][] {
  return Object.entries(children);
}

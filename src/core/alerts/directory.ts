import { distanceKm } from "../../values/point.ts";
import type { Ports } from "./ports.ts";
import type { AlertCache, CachedAlert } from "./alert-cache.ts";
import {
  closestAlerts,
  type Explanation,
  meaningOf,
  NOTHING_TO_EXPLAIN,
  type QueryWords,
  readAgain,
} from "./query-words.ts";
import { distanceCursor } from "./search-cursor.ts";
import {
  type CloseAlertView,
  type FoundAlert,
  type IndexedSearch,
  indexedSearch,
  type SearchInput,
  type SearchPage,
  type Total,
  TOTAL_MAX,
} from "./search.ts";
import type { AlertMark } from "../../search/search.ts";

/** Public alerts in the form in which an adapter shows them. */
export type AlertReader<Form> = {
  /**
   * Page of live alerts. Its total is counted only if `withTotal` is set, because that can take longer than the page.
   * Throws `bad_input` for fields that contradict each other.
   */
  search(input: SearchInput, options?: { readonly withTotal: boolean }): Promise<SearchPage<Form>>;
  /** Alerts that come closest to a search whose words no alert has: at most `CLOSEST_MAX`. */
  closest(input: SearchInput): Promise<CloseAlertView<Form>[]>;
  /** Alert of any status by UUID, slug, short code or page address. Throws `not_found` and `gone`. */
  get(name: string): Promise<Form>;
};

export function createAlertReader<Form>(
  { alertIndex }: Pick<Ports, "alertIndex">,
  cache: AlertCache<Form>,
): AlertReader<Form> {
  const toFound = ({ point, form }: CachedAlert<Form>, near: Near): FoundAlert<Form> => ({
    alert: form,
    distanceKm: near ? Math.round(distanceKm(near.point, point) * 10) / 10 : null,
  });
  return {
    async search(input, { withTotal } = { withTotal: false }) {
      const found = searchIndex(alertIndex, input, withTotal);
      const { keys, nextCursor, near, total, explanation } = found;
      const live = await cache.byKeys(keys);
      return { alerts: live.map((one) => toFound(one, near)), nextCursor, total, explanation };
    },

    async closest({ sort: _sort, cursor: _cursor, ...input }) {
      const { query } = indexedSearch(input);
      const close = closestAlerts(alertIndex, query, input.query ?? "", CLOSEST_MAX);
      const missing = new Map(close.map((one) => [one.publishedAt, one.missing]));
      const live = await cache.byKeys([...missing.keys()]);
      return live.map((one) => ({
        ...toFound(one, query.near),
        missingWords: missing.get(one.publishedAt) ?? [],
      }));
    },

    get: cache.byName,
  };
}

type Near = IndexedSearch["query"]["near"];

/** Most alerts that are close to a search. */
const CLOSEST_MAX = 5;

/** Most alerts on one map. */
export const MARKS_MAX = 10_000;

/** Newest alerts of a search as marks on a map. */
export type AlertMarks = {
  readonly marks: readonly AlertMark[];
  /** True if more alerts match than there are marks. */
  readonly isMore: boolean;
};

/** Marks of the newest alerts that a search finds, at most `max`. Its order and page do not matter. */
export function marksOf(
  { alertIndex }: Pick<Ports, "alertIndex">,
  search: SearchInput,
  max: number,
): AlertMarks {
  const { sort: _sort, cursor: _cursor, limit: _limit, ...rest } = search;
  const input = { ...rest, ...meaningOf(rest) };
  const asWritten = indexedSearch(input);
  const marksFor = ({ query }: IndexedSearch) =>
    alertIndex.marks({ ...query, before: undefined, limit: max + 1 });
  const found = marksFor(asWritten);
  const marks =
    found.length > 0 ? found : marksFor(reread(alertIndex, asWritten, input, true).search);
  return { marks: marks.slice(0, max), isMore: marks.length > max };
}

/** Page of keys in the order of the search. A search that finds nothing is read again, and explained. */
function searchIndex(index: Ports["alertIndex"], input: SearchInput, withTotal: boolean) {
  const asWritten = indexedSearch(input);
  const isFirstPage = input.cursor === undefined;
  let search = asWritten;
  let page = pageOf(index, asWritten);
  let explanation: Explanation = NOTHING_TO_EXPLAIN;
  if (page.found === 0) {
    ({ search, explanation } = reread(index, asWritten, input, isFirstPage));
    page = pageOf(index, search);
  }
  const { query } = search;
  const total = withTotal ? totalOf(index, query, isFirstPage, page.found) : null;
  return { ...page, near: query.near, total, explanation };
}

/** Another reading of a search that found nothing. */
function reread(
  index: Ports["alertIndex"],
  asWritten: IndexedSearch,
  { query: text = null }: { readonly query?: string | null | undefined },
  isFirstPage: boolean,
): { search: IndexedSearch; explanation: Explanation } {
  const { words, explanation } = readAgain(index, asWritten.query, { text, isFirstPage });
  return { search: withWords(asWritten, words), explanation };
}

function withWords(search: IndexedSearch, words: QueryWords): IndexedSearch {
  return search.sort === "nearest"
    ? { sort: "nearest", query: { ...search.query, ...words } }
    : { sort: "newest", query: { ...search.query, ...words } };
}

/** `found`: number of keys, one more than the page holds if there are further pages. */
function pageOf(index: Ports["alertIndex"], { sort, query }: IndexedSearch) {
  if (sort === "nearest") {
    const found = index.searchByDistance(query);
    const shown = found.slice(0, query.limit - 1);
    const last = found.length > shown.length ? shown.at(-1) : undefined;
    return {
      keys: shown.map(({ publishedAt }) => publishedAt),
      nextCursor: last === undefined ? null : distanceCursor(last, query.near.point),
      found: found.length,
    };
  }
  const found = index.search(query);
  const shown = found.slice(0, query.limit - 1);
  const last = found.length > shown.length ? shown.at(-1) : undefined;
  return {
    keys: shown,
    nextCursor: last === undefined ? null : new Date(last).toISOString(),
    found: found.length,
  };
}

/** Total of a search, counted unless its first page holds everything. */
function totalOf(
  index: Ports["alertIndex"],
  query: IndexedSearch["query"],
  isFirst: boolean,
  found: number,
): Total {
  if (isFirst && found < query.limit) return { count: found, isMore: false };
  const count = index.count(query, TOTAL_MAX + 1);
  return { count: Math.min(count, TOTAL_MAX), isMore: count > TOTAL_MAX };
}

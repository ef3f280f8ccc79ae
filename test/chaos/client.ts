import { form } from "../support/world.ts";

/** Answers a path or a whole address of the service, over a socket or in process. */
export type Fetch = (address: string, init?: RequestInit) => Promise<Response>;

/** Result of a tool call: content, or the reason for the refusal. */
export type ToolResult =
  | { readonly kind: "done"; readonly content: any }
  | { readonly kind: "refused"; readonly why: string };

/** Calls a tool in one request, as a client of an earlier revision does. Throws when there is no answer. */
export async function callTool(
  fetch: Fetch,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<ToolResult> {
  const answer = await fetch("/api/mcp", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: args },
    }),
  });
  const { result, error }: any = await answer.json();
  if (error !== undefined) return { kind: "refused", why: error.message };
  if (result.isError) return { kind: "refused", why: result.content[0].text };
  return { kind: "done", content: result.structuredContent };
}

/** Presses the button of a page whose form asks for nothing. */
export async function submit(fetch: Fetch, address: string, fields = {}) {
  const answer = await fetch(address, { method: "POST", ...form(fields) });
  return { status: answer.status, text: await answer.text() };
}

/** An alert that fits every check: a lost dog near Lyon, told apart by its number. */
export function lostDog(number: number | string, about: Readonly<Record<string, unknown>> = {}) {
  return {
    type: "lost",
    species: "dog",
    color: "black",
    name: `Dog ${number}`,
    lat: 45.75,
    lng: 4.85,
    email: `owner-${number}@example.org`,
    ...about,
  };
}

/** Every active alert that searches find, page by page. */
export async function searchAll(fetch: Fetch, query = ""): Promise<any[]> {
  const alerts: any[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const answer = await fetch(`/api/v1/alerts?limit=100${query}${cursor && `&cursor=${cursor}`}`);
    const page: any = await answer.json();
    if (!answer.ok) throw new Error(`search: ${page.detail}`);
    alerts.push(...page.alerts);
    cursor = page.next_cursor;
  }
  return alerts;
}

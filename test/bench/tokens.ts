import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { TOOL_LIST } from "../../src/http/mcp/tool-schemas.ts";
import { createWorld, LOST_CAT } from "../support/world.ts";

/** Tokens (o200k_base) that a model reads: the tool list, and answers with as many alerts as a page has by default. */
export type TokenCounts = {
  readonly list: number;
  readonly answers: Readonly<Record<string, number>>;
};

const ROWS = 20;

/** Counts the tokens, on a scratch service with alerts of the usual length. */
export async function countAllTokens(): Promise<TokenCounts> {
  const world = await createWorld({ LIMIT_PUBLISH: "off" });
  try {
    for (let nth = 0; nth < ROWS; nth++) {
      await world.publish({
        name: `Mimi ${nth}`,
        breed: "European shorthair",
        description: "Shy, with a white patch on the chest and a notched left ear. Green collar.",
        email: `owner${nth}@example.org`,
      });
    }
    const near = { lat: LOST_CAT.lat, lng: LOST_CAT.lng };
    const answer = async (detail: string) =>
      tokensOf(await world.tool("search_alerts", { ...near, detail }));
    return {
      list: tokensOf({ tools: TOOL_LIST }),
      answers: { concise: await answer("concise"), full: await answer("full") },
    };
  } finally {
    await world.end();
  }
}

function tokensOf(value: unknown): number {
  return countTokens(JSON.stringify(value));
}

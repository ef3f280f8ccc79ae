import type { ToolServer } from "./server.ts";

/** View that hosts with MCP Apps show beside the answers of the tools that read; others show the text. */
export const CARDS = {
  uri: "ui://pet-alert/cards",
  name: "cards",
  title: "Cards of alerts",
  description: "Alerts with their photos side by side",
  mimeType: "text/html;profile=mcp-app",
};

/** Metadata of a tool whose answers the cards show. */
export const SHOWN_AS_CARDS = { ui: { resourceUri: CARDS.uri } };

/** Content of the resource: the frame may load photos from this server, and nothing else from anywhere. */
export function cardsOf({ cards, identity }: Pick<ToolServer, "cards" | "identity">) {
  const { origin } = new URL(identity.baseUrl);
  const ui = { csp: { resourceDomains: [origin] }, prefersBorder: false };
  return { uri: CARDS.uri, mimeType: CARDS.mimeType, text: cards, _meta: { ui } };
}

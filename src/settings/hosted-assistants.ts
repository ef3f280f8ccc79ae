/** Networks from which a provider's hosted assistants call MCP servers, as a document of the provider names them. */
export type AssistantNetworks = {
  readonly provider: string;
  readonly networks: readonly string[];
  readonly source: string;
  /** Day on which the source said so. */
  readonly readOn: string;
};

/**
 * Providers with few and lasting networks. Those that change often are left to the operator, who fetches the provider's
 * list (docs/operations.md). No general cloud ranges: unrelated customers of that cloud would share one limit.
 */
export const HOSTED_ASSISTANTS: readonly AssistantNetworks[] = [
  {
    provider: "Anthropic",
    networks: ["160.79.104.0/21"],
    source: "https://platform.claude.com/docs/en/api/ip-addresses",
    readOn: "2026-11-23",
  },
  {
    provider: "Qoder Cloud Agents",
    networks: ["8.216.144.48/28", "39.102.160.96/28"],
    source: "https://docs.qoder.com/cloud-agents/ip-addresses",
    readOn: "2026-11-23",
  },
];

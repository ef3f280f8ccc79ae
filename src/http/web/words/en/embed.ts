/** The list for other sites. */
export const embed = {
  embed: {
    more: (site: string) => `All alerts on ${site}`,
    wrong: "This list cannot be shown: its address has a mistake.",
    title: "For your own website",
    text: "Show the newest alerts around your town on your pages. Copy this and put your town in its place. The list sets no cookies and runs no scripts:",
    filters: "Also possible:",
    docs: "Every address with its parameters and examples:",
  },
};

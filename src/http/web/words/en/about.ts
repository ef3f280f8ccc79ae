/** What this service is. */
export const about = {
  about: {
    title: "About this service",
    lead: (site: string) =>
      `${site} is a public directory of lost and found pets. It is free and needs no account.`,
    how: "How it works",
    howItems: [
      "Whoever publishes, writes or subscribes gets an email first. Nothing happens until that person opens its link and presses a button.",
      "Messages go through us. Neither side sees the other’s address.",
      "Phone numbers, addresses and links are taken out of public texts and messages.",
    ],
    privacy: "What we keep, and for how long",
    privacyItems: [
      "The exact position is never stored. We round it to about 1 km before we keep anything.",
      "A link that asks you to confirm works for 48 hours.",
      "The address of the person who published and all messages are erased 30 days after the alert’s end, or at once when it is removed.",
      "A microchip number is never shown. We keep a keyed fingerprint of it, to compare.",
      "An alert runs for 30 to 90 days, depending on the animal, and can be renewed.",
      "These pages set no cookies and load nothing from elsewhere.",
    ],
    limits: "Limits",
    limitsLead: "From one internet address, within an hour:",
    limitItems: ["5 publications", "20 messages", "10 subscriptions"],
    machines: "For programs and assistants",
    apiText: "Alerts can be read by anyone as JSON, without a key:",
    mcpText:
      "AI assistants search, publish and write through the tool server (Model Context Protocol):",
    thanks: "Attribution",
    gazetteer: "Names and positions of towns come from",
    license: "under CC BY 4.0.",
  },
};

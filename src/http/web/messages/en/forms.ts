/** Contact form, subscribe page and embeddable list. */
export const forms = {
  contact: {
    title: {
      owner: "Write to the owner",
      finder: "Write to the finder",
      shelter: "Write to the shelter",
    },
    hidden: {
      owner:
        "The owner gets your name and your message, but not your address. We forward replies to you by email.",
      finder:
        "The finder gets your name and your message, but not your address. We forward replies to you by email.",
      shelter:
        "The shelter gets your name and your message, but not your address. We forward replies to you by email.",
    },
    name: "Your name",
    email: "Your email address",
    emailHint: "We’ll email you a link. Your message is sent once you confirm it there.",
    message: "Your message",
    messageHint: {
      lost: "When and where did you see it?",
      found:
        "How do you know it is yours? Describe markings, the collar or habits that only its family would know.",
    },
    takenOut: "Phone numbers, email addresses and links are removed; street addresses are not.",
    button: "Continue",
    beware: "Never send money in advance, and never share a code that someone asks you for.",
    closed: "This animal is home again, so the alert no longer accepts messages.",
    nobody: "This alert does not accept messages: it has no owner on this server.",
  },
  subscribe: {
    title: "Get alerts for an area",
    lead: "We’ll email you when a new alert appears there. You can stop at any time.",
    which: "There are several places with that name. Which one do you mean?",
    radius: "Radius",
    species: "Animal",
    anySpecies: "All",
    type: "Lost or found",
    anyType: "Both",
    label: "A name for this area",
    labelHint: "Only you see it, in our emails. For example, Home.",
    email: "Your email address",
    emailHint: "We’ll email you a link to confirm. The alerts start after that.",
    button: "Continue",
  },
  embed: {
    more: (site: string) => `All alerts on ${site}`,
    wrong: "This list can’t be shown: there is a mistake in its address.",
    title: "For your own website",
    text: "Show the newest alerts around your town on your website. Copy this code and replace the town with yours. The list sets no cookies and runs no scripts:",
    filters: "More parameters:",
    docs: "All endpoints, with parameters and examples:",
  },
};

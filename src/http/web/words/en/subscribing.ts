/** Watching a zone by email. */
export const subscribing = {
  subscribe: {
    title: "Watch a zone",
    lead: "We write to you when a new alert appears there. You can stop it at any time.",
    which: "There are several places of that name. Which one?",
    radius: "Radius",
    species: "Animal",
    anySpecies: "All",
    type: "Lost or found",
    anyType: "Both",
    label: "A name for this zone",
    labelHint: "Only you see it, in our emails. For example: Home.",
    email: "Your email address",
    emailHint: "We send a link there. The emails begin only when you press the button behind it.",
    button: "Continue",
  },
};

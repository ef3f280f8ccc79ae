const counted = (count: number, one: string, many: string) =>
  `${count} ${count === 1 ? one : many}`;

/** Erasing all that is kept of a person. */
export const erasing = {
  erase: {
    link: "Erase everything about you",
    title: "Erase everything about you",
    lead: "Give your email address. If anything is kept under it, we send a link there. It shows what there is, and erases it when you press a button.",
    email: "Your email address",
    send: "Send me the link",
    sentTitle: "Check your email",
    sent: (address: string) =>
      `If anything is kept under ${address}, a link is on its way there. It works once, within 48 hours.`,
    askTitle: "Erase all of this?",
    ask: (address: string) => `This is kept under ${address}:`,
    parts: {
      alerts: (count: number) => counted(count, "alert", "alerts"),
      photos: (count: number) => counted(count, "photo", "photos"),
      sightings: (count: number) =>
        counted(count, "sighting of your animal", "sightings of your animals"),
      conversations: (count: number) => counted(count, "conversation", "conversations"),
      messages: (count: number) => counted(count, "message", "messages"),
      zones: (count: number) => counted(count, "zone you watch", "zones you watch"),
      requests: (count: number) =>
        counted(count, "request that waits to be confirmed", "requests that wait to be confirmed"),
      letters: (count: number) =>
        counted(count, "email that has not been sent yet", "emails that have not been sent yet"),
      moderation: (count: number) =>
        counted(count, "trace of your work as a moderator", "traces of your work as a moderator"),
    },
    forGood:
      "All of it is erased at once, conversations also for those you wrote with. This cannot be undone.",
    button: "Yes, erase it all",
    keep: "No, keep it",
    until: (moment: string) => `The link works until ${moment}.`,
    nothingTitle: "There is nothing to erase",
    nothing: "Nothing is kept under your address any more.",
    doneTitle: "It is erased",
    done: "This was kept under your address, and is erased:",
    limitsTitle: "What this does not reach",
    limits: {
      unknown:
        "Sightings and reports that you sent. No address is kept with them: nobody can tell that they are yours.",
      ended: (days: number) =>
        `Alerts that ended more than ${days} days ago. Your address was erased from them then.`,
      report: "To have one removed, report it on its page.",
      address:
        "The address of an alert’s page, in which the animal’s name can stand, and its area of about 1 km: they stay, so that a printed poster never leads to another animal.",
      arrived: "Emails that have arrived: they lie in the mailboxes of those who got them.",
      backups: (days: number) =>
        `Backup copies, until they are dropped. So that none of them brings back what you erased, a keyed fingerprint of your address stays for ${days} days.`,
      marks: (days: number) =>
        `Other keyed fingerprints of your address: those of confirmed requests go within ${days} days. One stays if you asked us to stop writing, or if moderators blocked the address, so that it holds.`,
    },
  },
};

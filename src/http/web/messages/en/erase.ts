const counted = (count: number, one: string, many: string) =>
  `${count} ${count === 1 ? one : many}`;

/** Erasure of personal data. */
export const erase = {
  erase: {
    link: "Erase my data",
    title: "Erase my data",
    lead: "Enter your email address. If we have any data for it, we’ll email you a link to a page that shows the data and lets you erase it.",
    email: "Your email address",
    send: "Send me the link",
    sentTitle: "Check your email",
    sent: (address: string) =>
      `If we have any data for ${address}, we’re sending a link there now. It works once, within 48 hours.`,
    askTitle: "Erase all your data?",
    ask: (address: string) => `We have this data for ${address}:`,
    parts: {
      alerts: (count: number) => counted(count, "alert", "alerts"),
      photos: (count: number) => counted(count, "photo", "photos"),
      sightings: (count: number) =>
        counted(count, "sighting of your animal", "sightings of your animals"),
      conversations: (count: number) => counted(count, "conversation", "conversations"),
      messages: (count: number) => counted(count, "message", "messages"),
      zones: (count: number) => counted(count, "alert area", "alert areas"),
      requests: (count: number) => counted(count, "unconfirmed request", "unconfirmed requests"),
      letters: (count: number) => counted(count, "unsent email", "unsent emails"),
      moderation: (count: number) =>
        counted(count, "record of your work as a moderator", "records of your work as a moderator"),
    },
    forGood:
      "All of it is erased immediately. Conversations are erased for the other side as well. This can’t be undone.",
    button: "Yes, erase everything",
    keep: "No, keep it",
    until: (moment: string) => `The link works until ${moment}.`,
    nothingTitle: "Nothing to erase",
    nothing: "We no longer have any data for your address.",
    doneTitle: "Your data has been erased",
    done: "We erased the following:",
    limitsTitle: "What won’t be erased",
    limits: {
      unknown:
        "Sightings and reports you sent. They are stored without an address, so we can’t tell that they are yours.",
      ended: (days: number) =>
        `Alerts that ended more than ${days} days ago. Your address has already been erased from them.`,
      report: "To have one removed, report it on its page.",
      address:
        "The web address of an alert, which may contain the animal’s name, and its area of about 1 km. They stay so that a printed poster never leads to another animal.",
      arrived: "Emails that have been delivered: they are in their recipients’ mailboxes.",
      backups: (days: number) =>
        `Backup copies, until they are deleted. We keep a keyed fingerprint of your address for ${days} days so that restoring a backup doesn’t bring your data back.`,
      marks: (days: number) =>
        `Other keyed fingerprints of your address. Those of confirmed requests are deleted within ${days} days. One stays if you asked us to stop emailing you, or if a moderator blocked the address, so that we can honour it.`,
    },
  },
};

const counted = (count: number, one: string, many: string) =>
  `${count} ${count === 1 ? one : many}`;

/** Pages behind private links, and erasure of personal data. */
export const manage = {
  manage: {
    title: "Manage your alert",
    private: "Keep this page’s address private: anyone who has it can close or remove your alert.",
    see: "See the public page",
    onlyYou: "Only you can see this.",
    chipTitle: "Another alert has the same microchip number",
    chipText:
      "Only you and the person who published it can see this. Numbers get mistyped, and anyone can enter any number, so make sure it is the same animal before you hand anything over.",
    hidden: "A moderator has hidden this alert. Only you can see it until it is restored.",
    messages: (count: number) => `Messages (${count})`,
    moreMessages: "More messages",
    firstMessages: "Back to the first messages",
    status: {
      active: (day: string) => `Active: everyone can see it until ${day}.`,
      resolved: () => "Home again. The alert is closed.",
      expired: () => "Expired: it no longer appears in searches.",
    },
    emailsStopped: {
      dead: "Emails to your address bounced, so we stopped sending them: you are missing messages, sightings and matches. If your mailbox works again, let us try once more.",
      complained:
        "Your email provider told us that one of our emails was reported as spam. We send you no more reminders or emails about matches; you still get messages.",
      button: "Send me emails again",
    },
    done: {
      resolve: "Wonderful! The alert now says that your pet is home again.",
      renew: "Renewed.",
      reopen: "The alert is active again.",
      emails: "We’re sending emails to your address again.",
    },
    backHome: { lost: "My pet is home again", found: "It is back with its family" },
    move: { renew: "Renew the alert", reopen: "Reopen the alert", remove: "Remove the alert" },
    moveHint: {
      resolve: "Closes the alert with the good news.",
      renew: "Keeps the alert active, starting today.",
      reopen: "If it was closed by mistake, or the animal is missing again.",
      remove: "Deletes it for good.",
    },
    removeTitle: "Remove this alert?",
    removeText:
      "Its page, its text and all messages about it are deleted immediately. This can’t be undone.",
    removeBetter:
      "If the animal is home again, please say so instead: the people who helped search will be glad.",
    removeButton: "Yes, remove it for good",
    keep: "No, keep it",
    removedTitle: "Your alert has been removed",
    removed: "Its text, your address and all messages about it have been deleted.",
  },
  conversation: {
    title: "Conversation",
    you: "You",
    owner: { owner: "The owner", finder: "The finder", shelter: "The shelter" },
    stranger: "The other person",
    gone: "The alert has been removed.",
    homeAgain: "This animal is home again.",
    removed: "[removed] replaces a phone number, an email address, a link or similar details.",
    closed: "New messages are no longer possible here.",
    closedByOne: "This conversation was closed.",
    close: "Close this conversation",
    closeTitle: "Close this conversation?",
    closeText: {
      owner:
        "Neither of you can write here any more, and the other person can’t write to you about this alert again. They will see that the conversation was closed. This can’t be undone.",
      stranger:
        "Neither of you can write here any more, and you can’t write about this alert again from the same address. The other person will see that the conversation was closed. This can’t be undone.",
    },
    closeButton: "Yes, close it",
    keep: "No, keep it open",
    reply: "Your reply",
    button: "Send",
    hidden: "Neither of you sees the other’s address.",
    beware:
      "Never send money in advance, and never share a code, whatever the reason: it is a common scam.",
    erased: "All messages are deleted 30 days after the alert ends.",
  },
  unsubscribe: {
    zoneTitle: "Stop the emails about this area?",
    zonesTitle: "Stop the emails about these areas?",
    zonesText: "You can also stop just one of them:",
    zonesButton: "Stop the emails about all of these areas",
    zoneAlone: "Stop the emails about this area only",
    remindersTitle: "Stop the reminders about this alert?",
    remindersText: "The alert itself doesn’t change. It expires unless you renew it.",
    button: "Stop these emails",
    matchesTitle: "Stop the emails about matches for this alert?",
    matchesText: "Its page still shows alerts that could be about the same animal.",
    allMatchesTitle: "Stop the emails about matches for all your alerts?",
    allMatchesText:
      "The pages of your alerts still show alerts that could be about the same animal.",
    endedTitle: "These emails have stopped",
    ended: "You won’t get any more of them.",
  },
  erase: {
    link: "Erase my data",
    title: "Erase my data",
    lead: "Enter your email address. If we have any data for it, we’ll email you a link to a page that shows the data and lets you erase it.",
    send: "Send me the link",
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

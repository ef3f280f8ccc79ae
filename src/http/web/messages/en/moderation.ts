/** Reports and moderation. */
export const moderation = {
  report: {
    link: "Report this alert",
    title: "Report this alert",
    lead: "A moderator will review it. The person who published it won’t know who reported it.",
    reason: "What’s wrong?",
    choose: "Please choose",
    reasons: {
      scam: "It’s a scam",
      personal_data: "It shows someone’s personal data",
      offensive: "It’s offensive",
      no_animal: "It’s not about a lost or found animal",
      not_true: "It’s not true",
      other: "Something else",
    },
    text: "What should the moderators know?",
    textHint: "Only moderators read this.",
    button: "Send the report",
    thanksTitle: "Thank you for your report",
    thanks: "A moderator will review it.",
    back: "Back to the alert",
    conversationLink: "Report this conversation",
    conversationTitle: "Report this conversation",
    conversationLead:
      "If you send the report, moderators can read every message in this conversation. They don’t see any addresses, and the other person isn’t told.",
    conversationBack: "Back to the conversation",
  },
  admin: {
    title: "Moderation",
    signIn: "Moderators sign in with a link sent by email.",
    signInButton: "Send me the link",
    over: "Your session has ended. Please sign in again.",
    spent:
      "This link has already been used, or is older than 30 minutes. Please request a new one.",
    sent: (address: string) =>
      `If ${address} belongs to a moderator, we’re sending a link there now. It works once, within 30 minutes.`,
    enterTitle: "Sign in to moderation",
    enter: "You’ll stay signed in on this device for 30 minutes.",
    enterButton: "Sign in",
    who: (email: string) => `Signed in as ${email}`,
    signOut: "Sign out",
    queue: "Reported",
    queueEmpty: "No open reports.",
    odd: "Edited often",
    oddEmpty: "No alerts have been edited unusually often.",
    oddLine: (inDay: number, inWeek: number) =>
      `Details used for matching were changed ${times(inDay)} in the last day and ${times(inWeek)} in the last week.`,
    hidden: "Hidden",
    hiddenEmpty: "No hidden alerts.",
    log: "Moderation log",
    logEmpty: "No entries yet.",
    reports: "Reports",
    conversation: "Reported conversation",
    stranger: "Sender",
    owner: "Publisher",
    see: "View the public page",
    status: {
      active: "Everyone can see it.",
      resolved: "Home again. Anyone with the link can see it.",
      expired: "Expired. Anyone with the link can see it.",
      hidden: "Hidden: only its owner and moderators can see it.",
      removed: "Removed.",
    },
    act: {
      hide: "Hide",
      restore: "Restore",
      remove: "Remove permanently",
      block: "Block the publisher",
      block_writer: "Block the sender",
      dismiss: "Dismiss reports",
    },
    hint: {
      hide: "Removes it from every page and search until it is restored.",
      restore: "Makes it public again. Its publisher can use this site again.",
      remove: "Deletes its text, photos and messages.",
      block: "Hides all alerts from this address and stops its emails.",
      block_writer:
        "Hides all alerts from this address, closes its conversations and stops its emails.",
      dismiss: "Closes the reports and takes the alert off these lists. The alert doesn’t change.",
    },
    did: {
      hide: "hidden",
      restore: "restored",
      remove: "removed",
      block: "publisher blocked",
      block_writer: "sender blocked",
      dismiss: "reports dismissed",
    },
    done: {
      hide: "The alert has been hidden.",
      restore: "The alert has been restored.",
      remove: "The alert has been removed.",
      block: "The address has been blocked and its alerts hidden.",
      block_writer: "The address has been blocked and its conversations closed.",
      dismiss: "The reports have been dismissed.",
    },
    ask: {
      remove: "Remove this alert permanently?",
      block: "Block the publisher’s address?",
      block_writer: "Block the sender’s address?",
    },
    askText: {
      remove:
        "Its page, its text and all messages about it are deleted immediately. This can’t be undone.",
      block:
        "All alerts from this address are hidden, its conversations are closed, and it gets no more confirmation emails. Restoring this alert lifts the block.",
      block_writer:
        "All alerts from this address are hidden, its conversations are closed, and it gets no more confirmation emails. You can’t undo this here.",
    },
    yes: { remove: "Yes, remove it", block: "Yes, block it", block_writer: "Yes, block it" },
    no: "No, go back",
    line: (moment: string, who: string, did: string, code: string) =>
      `${moment}: ${who}, ${did}, ${code}`,
  },
};

const times = (count: number) => (count === 1 ? "once" : `${count} times`);

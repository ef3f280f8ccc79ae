/** What private links open. */
export const owning = {
  manage: {
    title: "Manage your alert",
    private: "Keep this page’s address private: whoever has it can end or remove your alert.",
    see: "See the public page",
    hidden: "A moderator has hidden this alert. Nobody else sees it until it is restored.",
    status: {
      active: (day: string) => `Active: everyone can see it until ${day}.`,
      resolved: () => "Home again. The alert is closed.",
      expired: () => "Expired: it is in no search any more.",
    },
    done: {
      resolve: "Wonderful! The alert now says that it is home again.",
      renew: "Renewed.",
      reopen: "The alert is active again.",
    },
    move: {
      resolve: {
        lost: { button: "My pet is home again", hint: "Closes the alert with the good news." },
        found: {
          button: "It is back with its family",
          hint: "Closes the alert with the good news.",
        },
      },
      renew: {
        lost: { button: "Renew the alert", hint: "Still missing: it runs on from today." },
        found: { button: "Renew the alert", hint: "Not claimed yet: it runs on from today." },
      },
      reopen: {
        lost: { button: "Open the alert again", hint: "Missing once more, or closed by mistake." },
        found: { button: "Open the alert again", hint: "Closed by mistake." },
      },
      remove: {
        lost: { button: "Remove the alert", hint: "Deletes it for good." },
        found: { button: "Remove the alert", hint: "Deletes it for good." },
      },
    },
    removeTitle: "Remove this alert?",
    removeText:
      "Its page, its text and all messages about it are deleted at once. This cannot be undone.",
    removeBetter:
      "If the animal is home again, better say so: people who helped search will be glad.",
    removeButton: "Yes, remove it for good",
    keep: "No, keep it",
    removedTitle: "Your alert is gone",
    removed: "Its text, your address and all messages about it are deleted.",
  },
  conversation: {
    title: "Conversation",
    you: "You",
    owner: { owner: "The owner", finder: "The finder", shelter: "The shelter" },
    stranger: "The other person",
    gone: "The alert has been removed.",
    homeAgain: "This animal is home again.",
    removed: "[removed] stands for contact details, which we take out.",
    closed: "Nobody can answer here any more.",
    closedByOne: "This conversation was closed.",
    close: "Close this conversation",
    closeTitle: "Close this conversation?",
    closeText: {
      owner:
        "Neither of you can write here any more, and the other person cannot write to you about this alert again. They see that the conversation was closed. This cannot be undone.",
      stranger:
        "Neither of you can write here any more, and you cannot write about this alert again from the same address. The other person sees that the conversation was closed. This cannot be undone.",
    },
    closeButton: "Yes, close it",
    keep: "No, keep it open",
    reply: "Your answer",
    replyHint: "Phone numbers, addresses and links are taken out.",
    button: "Send",
    hidden: "Neither of you sees the other’s address.",
    beware:
      "Never send money in advance, and never pass on a code, whatever the reason: it is a common scam.",
    erased: "All messages are deleted 30 days after the alert’s end.",
  },
  unsubscribe: {
    zoneTitle: "Stop the emails about this zone?",
    remindersTitle: "Stop the reminders about this alert?",
    remindersText: "The alert itself stays as it is. Without a renewal it ends in time.",
    zoneButton: "Stop these emails",
    remindersButton: "Stop these reminders",
    matchesTitle: "Stop the emails about matches for this alert?",
    matchesText: "Its page goes on showing alerts that could be the same animal.",
    matchesButton: "Stop these emails",
    endedTitle: "These emails have stopped",
    ended: "You will get no more of them.",
  },
};

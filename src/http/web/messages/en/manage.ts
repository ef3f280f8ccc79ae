/** Pages behind private links. */
export const manage = {
  manage: {
    title: "Manage your alert",
    private: "Keep this page’s address private: anyone who has it can close or remove your alert.",
    see: "See the public page",
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
    move: {
      resolve: {
        lost: { button: "My pet is home again", hint: "Closes the alert with the good news." },
        found: {
          button: "It is back with its family",
          hint: "Closes the alert with the good news.",
        },
      },
      renew: {
        lost: {
          button: "Renew the alert",
          hint: "Still missing: keeps the alert active, starting today.",
        },
        found: {
          button: "Renew the alert",
          hint: "Not claimed yet: keeps the alert active, starting today.",
        },
      },
      reopen: {
        lost: { button: "Reopen the alert", hint: "Missing again, or closed by mistake." },
        found: { button: "Reopen the alert", hint: "Closed by mistake." },
      },
      remove: {
        lost: { button: "Remove the alert", hint: "Deletes it for good." },
        found: { button: "Remove the alert", hint: "Deletes it for good." },
      },
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
    replyHint: "Phone numbers, email addresses and links are removed; street addresses are not.",
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
    zoneButton: "Stop these emails",
    remindersButton: "Stop these reminders",
    matchesTitle: "Stop the emails about matches for this alert?",
    matchesText: "Its page still shows alerts that could be about the same animal.",
    matchesButton: "Stop these emails",
    allMatchesTitle: "Stop the emails about matches for all your alerts?",
    allMatchesText:
      "The pages of your alerts still show alerts that could be about the same animal.",
    allMatchesButton: "Stop these emails",
    endedTitle: "These emails have stopped",
    ended: "You won’t get any more of them.",
  },
};

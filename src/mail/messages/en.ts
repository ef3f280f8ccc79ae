import type { EmailMessages } from "./messages.ts";

const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

export const en: EmailMessages = {
  day: (time) => DAY.format(time),
  headline: {
    lost: { dog: "lost dog", cat: "lost cat", bird: "lost bird", other: "lost pet" },
    found: { dog: "found dog", cat: "found cat", bird: "found bird", other: "found pet" },
  },
  copyAddress: "If the button does not work, copy this address into your browser:",
  neverACode:
    "We never ask for a code. If anyone asks you for one, by email, message or phone, do not answer.",
  footer: (site) =>
    `Sent by ${site}, a public directory of lost and found pets. Please do not reply: nobody reads replies to this email.`,

  confirm: {
    publish: {
      subject: (code) => `Please confirm your alert (${code})`,
      title: "One step left to publish your alert",
      opening: (site, code) =>
        `Someone, most likely you, wants to publish alert ${code} on ${site} and gave this email address.`,
      next: "Open the page below to see the alert as it will appear, change it if you like, and press the button on that page.",
      button: "See and confirm my alert",
    },
    message: {
      subject: (code) => `Please confirm your message (alert ${code})`,
      title: "One step left to send your message",
      opening: (site, code) =>
        `Someone, most likely you, wants to send a message about alert ${code} on ${site} and gave this email address.`,
      next: "Open the page below to see the message as it will be sent, and press the button on that page.",
      button: "See and confirm my message",
    },
    zone: {
      subject: () => "Please confirm alerts for your area",
      title: "One step left to get alerts for your area",
      opening: (site) =>
        `Someone, most likely you, asked ${site} to email this address about new alerts in an area.`,
      next: "Open the page below to see the area, and press the button on that page.",
      button: "See and confirm my area",
    },
    sighting: {
      subject: (code) => `Please confirm your sighting (alert ${code})`,
      title: "One step left to publish your sighting",
      opening: (site, code) =>
        `Someone, most likely you, wants to report on ${site} where the animal in alert ${code} was seen, and gave this email address.`,
      next: "Open the page below to see the sighting as it will appear, and press the button on that page.",
      button: "See and confirm my sighting",
    },
    nothingYet: "Nothing happens until you press the button on that page.",
    ends: (hours, day, time) =>
      `The link works once, for ${hours === 1 ? "1 hour" : `${hours} hours`}: until ${day} at ${time} UTC.`,
    ignore: "If this was not you, you can ignore this email: nothing will be published or sent.",
    notMe: "This was not me: stop these emails",
  },

  confirmations: {
    subject: (count) => `Please confirm ${count} requests`,
    title: (count) => `${count} requests are waiting for you`,
    opening: (site) =>
      `These requests were made on ${site} with this email address. Some may be yours; others may have been made by someone else.`,
    next: "Open the page of each request that is yours and press the button on that page. You can ignore the others.",
    ends: (hours, day, time) =>
      `Each link works once, for ${hours === 1 ? "1 hour" : `${hours} hours`}: until ${day} at ${time} UTC.`,
  },

  live: {
    subject: (headline, code) => `Your alert is live: ${headline} (${code})`,
    title: "Your alert is live",
    opening: {
      lost: {
        dog: "Everyone can now see the alert for your lost dog. We hope your dog is home soon.",
        cat: "Everyone can now see the alert for your lost cat. We hope your cat is home soon.",
        bird: "Everyone can now see the alert for your lost bird. We hope your bird is home soon.",
        other: "Everyone can now see the alert for your lost pet. We hope your pet is home soon.",
      },
      found: {
        dog: "Everyone can now see the alert for the dog you found. Thank you for helping it get home.",
        cat: "Everyone can now see the alert for the cat you found. Thank you for helping it get home.",
        bird: "Everyone can now see the alert for the bird you found. Thank you for helping it get home.",
        other:
          "Everyone can now see the alert for the pet you found. Thank you for helping it get home.",
      },
    },
    share: "Share it as widely as you can. These links are public:",
    page: "The alert’s page",
    shortLink: "Short link, for messages and posters",
    qr: "QR code, for posters",
    manage: "The link below opens your private page. There you can:",
    actions: {
      lost: [
        "read and answer messages",
        "edit the alert and its photos",
        "report that your pet is home again",
        "renew the alert before it ends",
        "remove the alert",
      ],
      found: [
        "read and answer messages",
        "edit the alert and its photos",
        "report that the animal is home again",
        "renew the alert before it ends",
        "remove the alert",
      ],
    },
    button: "Manage my alert",
    keepPrivate:
      "Keep this email private: anyone who has the link can edit, end or remove your alert.",
    ends: (day) => `The alert runs until ${day}. We will email you before it ends.`,
    beware:
      "Never send money in advance and never share a code, whatever the reason. We never ask for either.",
  },

  link: {
    subject: (headline, code) => `Your private link: ${headline} (${code})`,
    title: "Your private link",
    opening: "You asked for the private link to your alert. Here it is.",
    button: "Manage your alert",
    ignore:
      "If this was not you, you can ignore this email: the link is sent only to this address.",
    subjectMany: (count) => `Your private links: ${count} alerts`,
    titleMany: "Your private links",
    openingMany:
      "You asked for the private links to your alerts. Here they are, newest alert first.",
    keepPrivateMany:
      "Keep this email private: anyone who has the links can edit, end or remove your alerts.",
    part: (part, parts, count) =>
      `This is part ${part} of ${parts}: you have ${count} alerts, too many for one email.`,
    nextPart: "Get the next part",
  },

  admin: {
    subject: "Your sign-in link for moderation",
    title: "Your sign-in link for moderation",
    opening: (site) => `You asked to sign in to the moderation pages of ${site}.`,
    button: "Open moderation",
    ends: (day, time) =>
      `The link works once, for 30 minutes: until ${day} at ${time} UTC. Anyone who has it can moderate, so keep this email private.`,
    ignore:
      "If this was not you, you can ignore this email: the link is sent only to this address.",
  },

  erase: {
    subject: "Erase everything about you",
    title: "Erase everything about you",
    opening: (site) =>
      `Someone, most likely you, asked to erase everything that ${site} stores under this email address.`,
    next: "Open the page below to see what is stored. Nothing is erased until you press the button on that page.",
    button: "See what would be erased",
    ends: (day, time) =>
      `The link works once, for 48 hours: until ${day} at ${time} UTC. Anyone who has it can erase your alerts, so keep this email private.`,
    ignore:
      "If this was not you, you can ignore this email: nothing is erased, and the link is sent only to this address.",
  },

  message: {
    subject: (headline, code) => `New message: ${headline} (${code})`,
    title: "You have a new message",
    fromStranger: {
      lost: {
        dog: "Someone has written to you about your lost dog.",
        cat: "Someone has written to you about your lost cat.",
        bird: "Someone has written to you about your lost bird.",
        other: "Someone has written to you about your lost pet.",
      },
      found: {
        dog: "Someone has written to you about the dog you found.",
        cat: "Someone has written to you about the cat you found.",
        bird: "Someone has written to you about the bird you found.",
        other: "Someone has written to you about the pet you found.",
      },
    },
    fromOwner: {
      lost: {
        dog: "The person who is looking for this dog has written to you.",
        cat: "The person who is looking for this cat has written to you.",
        bird: "The person who is looking for this bird has written to you.",
        other: "The person who is looking for this pet has written to you.",
      },
      found: {
        dog: "The person who found this dog has written to you.",
        cat: "The person who found this cat has written to you.",
        bird: "The person who found this bird has written to you.",
        other: "The person who found this pet has written to you.",
      },
    },
    writes: (name) => `${name} writes:`,
    unnamed: "The message:",
    button: "Read and answer",
    hidden:
      "Please answer on that page: replies to this email are not delivered. The other person does not see your email address, and you do not see theirs.",
    beware:
      "Never send money in advance and never share a code: asking for a “verification code” is a common scam.",
    removed: "“[removed]” stands for contact details, which we remove from messages.",
    alert: "The alert:",
  },

  sighting: {
    subject: (headline, code) => `Seen: ${headline} (${code})`,
    title: "Someone may have seen your animal",
    opening: "Someone has left a sighting on the page of your alert.",
    seen: (town, km, day, time) => {
      const where =
        km === null
          ? `Seen in ${town}`
          : `Seen near ${town}, about ${km} km from the place of your alert`;
      return `${where}, on ${day} at ${time} UTC.`;
    },
    adds: "They add:",
    unproven: "It may be another animal. Everyone can see the sighting on the alert’s page.",
    button: "See the sighting",
    beware: "Never send money in advance and never share a code, whatever the reason.",
  },

  digest: {
    subject: (headline, code) => `More messages and sightings: ${headline} (${code})`,
    title: "More messages and sightings",
    opening:
      "You have received many emails about this alert today, so we now send new messages and sightings together, at most once an hour.",
    moreOfOne: (count) =>
      count === 1
        ? "1 earlier message in this conversation."
        : `${count} earlier messages in this conversation.`,
    moreConversations: (count) =>
      count === 1 ? "And 1 more conversation." : `And ${count} more conversations.`,
    moreSightings: (count) =>
      count === 1 ? "And 1 more sighting." : `And ${count} more sightings.`,
    button: "See all conversations",
    buttonAlert: "See the alert",
  },

  zone: {
    subjectOne: (headline, code) => `New in your area: ${headline} (${code})`,
    subjectMany: (count) => `${count} new alerts in your area`,
    titleOne: "A new alert in your area",
    opening: "New in your area:",
    openingNamed: (label) => `New in your area “${label}”:`,
    openingMany: "New in your areas:",
    circle: (km, town) => `${km} km around ${town}`,
    moreZones: (count) => (count === 1 ? "1 more area" : `${count} more areas`),
    seen: "If you know anything, please write from the alert’s page: every hint helps.",
    more: (count) => (count === 1 ? "And 1 more alert." : `And ${count} more alerts.`),
    buttonOne: "See the alert",
    buttonMany: "See all alerts",
    why: "You get this email because you subscribed to alerts in this area.",
    whyMany: "You get this email because you subscribed to alerts in these areas.",
    unsubscribe: "Stop the emails about this area",
    unsubscribeOne: (zone) => `Stop the emails about ${zone}`,
    unsubscribeAll: "Stop the emails about all these areas",
  },

  match: {
    subject: (headline, code) => `Possible match: ${headline} (${code})`,
    title: "A possible match for your alert",
    opening: {
      lost: "Someone has found an animal that could be yours:",
      found: "Someone is looking for an animal that could be the one you found:",
    },
    score: (percent) =>
      `There is about a ${percent}% chance that it is the same animal. Please compare them yourself.`,
    reasons: "Reasons for and against:",
    yours: "Your alert:",
    button: "Compare the two",
    notMine:
      "If it is not the same animal, say so on that page, and neither of you will get another email about this pair.",
    beware:
      "Ask for a detail that only the right person can know. Never send money in advance and never share a code.",
    unsubscribe: "Stop the emails about matches for this alert",
  },

  matchDigest: {
    subject: (count) =>
      count === 1
        ? "1 more possible match for your alerts"
        : `${count} more possible matches for your alerts`,
    opening:
      "You have already received today’s separate emails about possible matches. These are the matches found since then, most likely first:",
    pair: (percent, headline, code) =>
      `About a ${percent}% chance that it is the same animal as in your alert: ${headline} (${code}).`,
    more: (count) =>
      count === 1
        ? "1 more possible match will follow in the next email like this."
        : `${count} more possible matches will follow in emails like this, at most one a day.`,
    unsubscribe: "Stop the emails about matches for all my alerts",
  },

  reminder: {
    subject: (days, headline, code) =>
      `Your alert ends in ${days === 1 ? "1 day" : `${days} days`}: ${headline} (${code})`,
    title: (days) => `Your alert ends in ${days === 1 ? "1 day" : `${days} days`}`,
    opening: {
      lost: {
        dog: "Is your dog still missing? Please renew the alert; it only takes a moment.",
        cat: "Is your cat still missing? Please renew the alert; it only takes a moment.",
        bird: "Is your bird still missing? Please renew the alert; it only takes a moment.",
        other: "Is your pet still missing? Please renew the alert; it only takes a moment.",
      },
      found: {
        dog: "Is the dog you found still waiting for its family? Please renew the alert; it only takes a moment.",
        cat: "Is the cat you found still waiting for its family? Please renew the alert; it only takes a moment.",
        bird: "Is the bird you found still waiting for its family? Please renew the alert; it only takes a moment.",
        other:
          "Is the pet you found still waiting for its family? Please renew the alert; it only takes a moment.",
      },
    },
    orEnd: {
      lost: "Is your pet home again? Wonderful! Please tell us on the same page, so that people can stop searching.",
      found:
        "Is the animal home again? Wonderful! Please tell us on the same page, so that people can stop searching.",
    },
    ends: (day, time) => `If you do nothing, the alert ends on ${day} at ${time} UTC.`,
    button: "Renew or end my alert",
    keepPrivate:
      "Keep this email private: anyone who has the link can edit, end or remove your alert.",
    unsubscribe: "Stop the reminders about this alert",
  },
};

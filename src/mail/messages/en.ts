import { bySpecies, LOCALES } from "../../core/locale.ts";

const PETS = { dog: "dog", cat: "cat", bird: "bird", other: "pet" };

/** All texts of emails, as plain text that the layout escapes. English defines the keys. */
export const en = {
  ...LOCALES.en,
  /** Subject of an email about one alert. */
  subject: (title: string, headline: string, code: string) => `${title}: ${headline} (${code})`,
  copyAddress: "If the button does not work, copy this address into your browser:",
  neverACode:
    "We never ask for a code. If anyone asks you for one, by email, message or phone, do not answer.",
  beware:
    "Never send money in advance and never share a code, whatever the reason. We never ask for either.",
  footer: (site: string) =>
    `Sent by ${site}, a public directory of lost and found pets. Please do not reply: nobody reads replies to this email.`,

  confirm: {
    publish: {
      subject: (code: string) => `Please confirm your alert (${code})`,
      title: "One more step to publish your alert",
      opening: (site: string, code: string) =>
        `Someone, most likely you, wants to publish alert ${code} on ${site} and gave this email address.`,
      next: "Open the page below to see the alert as it will appear, change it if you like, and press the button on that page.",
      button: "See and confirm my alert",
    },
    message: {
      subject: (code: string) => `Please confirm your message (alert ${code})`,
      title: "One more step to send your message",
      opening: (site: string, code: string) =>
        `Someone, most likely you, wants to send a message about alert ${code} on ${site} and gave this email address.`,
      next: "Open the page below to see the message as it will be sent, and press the button on that page.",
      button: "See and confirm my message",
    },
    zone: {
      subject: () => "Please confirm alerts for your area",
      title: "One more step to get alerts for your area",
      opening: (site: string) =>
        `Someone, most likely you, asked ${site} to email this address about new alerts in an area.`,
      next: "Open the page below to see the area, and press the button on that page.",
      button: "See and confirm my area",
    },
    sighting: {
      subject: (code: string) => `Please confirm your sighting (alert ${code})`,
      title: "One more step to post your sighting",
      opening: (site: string, code: string) =>
        `Someone, most likely you, wants to post a sighting of the animal in alert ${code} on ${site} and gave this email address.`,
      next: "Open the page below to see the sighting as it will appear, and press the button on that page.",
      button: "See and confirm my sighting",
    },
    nothingYet: "Nothing happens until you press the button on that page.",
    ends: (hours: number, moment: string) =>
      `The link works once, for ${hours === 1 ? "1 hour" : `${hours} hours`}: until ${moment}.`,
    ignore: "If this was not you, you can ignore this email: nothing will be published or sent.",
    notMe: "This was not me: stop these emails",
  },

  confirmations: {
    subject: (count: number) => `Please confirm ${count} requests`,
    title: (count: number) => `${count} requests are waiting for you`,
    opening: (site: string) =>
      `These requests were made on ${site} with this email address. Some may be yours; others may have been made by someone else.`,
    next: "Open the page of each request that is yours and press the button on that page. You can ignore the others.",
    ends: (hours: number, moment: string) =>
      `Each link works once, for ${hours === 1 ? "1 hour" : `${hours} hours`}: until ${moment}.`,
  },

  live: {
    title: "Your alert is live",
    opening: {
      lost: bySpecies(
        PETS,
        (pet) =>
          `Everyone can now see the alert for your lost ${pet}. We hope your ${pet} is home soon.`,
      ),
      found: bySpecies(
        PETS,
        (pet) =>
          `Everyone can now see the alert for the ${pet} you found. Thank you for helping it get home.`,
      ),
    },
    share: "Share it as widely as you can. These links are public:",
    page: "The alert’s page",
    shortLink: "Short link, for messages and posters",
    qr: "QR code, for posters",
    manage: "The link below opens your private page. There you can:",
    actions: [
      "read and reply to messages",
      "edit the alert and its photos",
      "tell us that the animal is home again",
      "renew the alert before it ends",
      "remove the alert",
    ],
    button: "Manage my alert",
    keepPrivate:
      "Keep this email private: anyone who has the link can edit, end or remove your alert.",
    ends: (day: string) => `The alert stays active until ${day}. We will email you before it ends.`,
  },

  link: {
    title: "Your private link",
    opening: "You asked for the private link to your alert. Here it is.",
    button: "Manage your alert",
    ignore:
      "If this was not you, you can ignore this email: the link is sent only to this address.",
    subjectMany: (count: number) => `Your private links: ${count} alerts`,
    titleMany: "Your private links",
    openingMany:
      "You asked for the private links to your alerts. Here they are, newest alert first.",
    keepPrivateMany:
      "Keep this email private: anyone who has the links can edit, end or remove your alerts.",
    part: (part: number, parts: number, count: number) =>
      `This is part ${part} of ${parts}: you have ${count} alerts, too many for one email.`,
    nextPart: "Get the next part",
  },

  admin: {
    title: "Your sign-in link for moderation",
    opening: (site: string) => `You asked to sign in to the moderation pages of ${site}.`,
    button: "Open moderation",
    ends: (moment: string) =>
      `The link works once, for 30 minutes: until ${moment}. Anyone who has it can moderate, so keep this email private.`,
  },

  erase: {
    title: "Erase your data",
    opening: (site: string) =>
      `Someone, most likely you, asked to erase everything that ${site} stores under this email address.`,
    next: "Open the page below to see what is stored. Nothing is erased until you press the button on that page.",
    button: "See what would be erased",
    keepPrivate: "Anyone who has the link can erase your alerts, so keep this email private.",
    ignore:
      "If this was not you, you can ignore this email: nothing is erased, and the link is sent only to this address.",
  },

  message: {
    title: "New message",
    fromStranger: {
      lost: bySpecies(PETS, (pet) => `Someone has written to you about your lost ${pet}.`),
      found: bySpecies(PETS, (pet) => `Someone has written to you about the ${pet} you found.`),
    },
    fromOwner: {
      lost: bySpecies(
        PETS,
        (pet) => `The person who is looking for this ${pet} has written to you.`,
      ),
      found: bySpecies(PETS, (pet) => `The person who found this ${pet} has written to you.`),
    },
    writes: (name: string) => `${name} writes:`,
    unnamed: "The message:",
    button: "Read and reply",
    hidden:
      "Please reply on that page: replies to this email are not delivered. The other person does not see your email address, and you do not see theirs.",
    beware:
      "Never send money in advance and never share a code: asking for a “verification code” is a common scam.",
    removed: "“[removed]” replaces contact details, which we remove from messages.",
    alert: "The alert:",
  },

  sighting: {
    subject: "Seen",
    title: "Someone may have seen your animal",
    opening: "Someone has posted a sighting on your alert’s page.",
    /** `km` is the distance from the alert; null if only the town is known. */
    seen: (town: string, km: number | null, moment: string) => {
      const where =
        km === null
          ? `Seen in ${town}`
          : `Seen near ${town}, about ${km} km from the place of your alert`;
      return `${where}, on ${moment}.`;
    },
    adds: "They add:",
    unproven: "It may be another animal. Everyone can see the sighting on the alert’s page.",
    button: "See the sighting",
  },

  digest: {
    title: "More messages and sightings",
    opening:
      "You have received many emails about this alert today, so we now send new messages and sightings together, at most once an hour.",
    moreOfOne: (count: number) =>
      count === 1
        ? "1 earlier message in this conversation."
        : `${count} earlier messages in this conversation.`,
    moreConversations: (count: number) =>
      count === 1 ? "And 1 more conversation." : `And ${count} more conversations.`,
    moreSightings: (count: number) =>
      count === 1 ? "And 1 more sighting." : `And ${count} more sightings.`,
    button: "See all conversations",
    buttonAlert: "See the alert",
  },

  zone: {
    subjectMany: (count: number) => `${count} new alerts in your area`,
    titleOne: "New in your area",
    opening: "New in your area:",
    openingNamed: (label: string) => `New in your area “${label}”:`,
    openingMany: "New in your areas:",
    moreZones: (count: number) => (count === 1 ? "1 more area" : `${count} more areas`),
    seen: "If you know anything, please send a message from the alert’s page. Anything helps.",
    more: (count: number) => (count === 1 ? "And 1 more alert." : `And ${count} more alerts.`),
    buttonOne: "See the alert",
    buttonMany: "See all alerts",
    why: "You get this email because you subscribed to alerts in this area.",
    whyMany: "You get this email because you subscribed to alerts in these areas.",
    unsubscribe: "Stop the emails about this area",
    unsubscribeOne: (zone: string) => `Stop the emails about ${zone}`,
    unsubscribeAll: "Stop the emails about all these areas",
  },

  match: {
    title: "Possible match",
    opening: {
      lost: "Someone has found an animal that could be yours:",
      found: "Someone is looking for an animal that could be the one you found:",
    },
    score: (percent: number) =>
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
    subject: (count: number) =>
      count === 1
        ? "1 more possible match for your alerts"
        : `${count} more possible matches for your alerts`,
    opening:
      "You have already received today’s separate emails about possible matches. Here are the matches found since then, most likely first:",
    pair: (percent: number, headline: string, code: string) =>
      `About a ${percent}% chance that it is the same animal as in your alert: ${headline} (${code}).`,
    more: (count: number) =>
      count === 1
        ? "1 more possible match will follow in the next email like this."
        : `${count} more possible matches will follow in emails like this, at most one a day.`,
    unsubscribe: "Stop the emails about matches for all my alerts",
  },

  reminder: {
    title: (days: number) => `Your alert ends in ${days === 1 ? "1 day" : `${days} days`}`,
    opening: {
      lost: bySpecies(
        PETS,
        (pet) => `Is your ${pet} still missing? Please renew the alert; it only takes a moment.`,
      ),
      found: bySpecies(
        PETS,
        (pet) =>
          `Is the ${pet} you found still waiting for its family? Please renew the alert; it only takes a moment.`,
      ),
    },
    orEnd:
      "Home again? Wonderful! Please tell us on the same page, so that everyone can stop searching.",
    ends: (moment: string) => `If you do nothing, the alert ends on ${moment}.`,
    button: "Renew or end my alert",
    unsubscribe: "Stop the reminders about this alert",
  },
};

import type { Words } from "./words.ts";

const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

export const en: Words = {
  day: (time) => DAY.format(time),
  headline: {
    lost: { dog: "lost dog", cat: "lost cat", bird: "lost bird", other: "lost pet" },
    found: { dog: "found dog", cat: "found cat", bird: "found bird", other: "found pet" },
  },
  copyAddress: "If the button does not work, copy this address into your browser:",
  neverACode:
    "We never ask for a code. If anyone asks you for one, by email, message or phone, do not answer.",
  footer: (site) =>
    `Sent by ${site}, a public directory of lost and found pets. Nobody reads replies to this email.`,

  confirm: {
    publish: {
      subject: (code) => `Please confirm your alert (${code})`,
      title: "One step left to publish your alert",
      asked: (site, code) =>
        `Someone, most likely you, wants to publish alert ${code} on ${site} and gave this email address.`,
      next: "Open the page below to see the alert as it will appear, change it if you like, and press the button on that page.",
      button: "See and confirm my alert",
    },
    message: {
      subject: (code) => `Please confirm your message (alert ${code})`,
      title: "One step left to send your message",
      asked: (site, code) =>
        `Someone, most likely you, wants to send a message about alert ${code} on ${site} and gave this email address.`,
      next: "Open the page below to see the message as it will be sent, and press the button on that page.",
      button: "See and confirm my message",
    },
    zone: {
      subject: () => "Please confirm your alert zone",
      title: "One step left to watch your zone",
      asked: (site) =>
        `Someone, most likely you, wants ${site} to write to this address when there are new alerts in a zone.`,
      next: "Open the page below to see the zone, and press the button on that page.",
      button: "See and confirm my zone",
    },
    sighting: {
      subject: (code) => `Please confirm your sighting (alert ${code})`,
      title: "One step left to pass on your sighting",
      asked: (site, code) =>
        `Someone, most likely you, wants to tell on ${site} where the animal of alert ${code} was seen, and gave this email address.`,
      next: "Open the page below to see the sighting as it will appear, and press the button on that page.",
      button: "See and confirm my sighting",
    },
    nothingYet: "Nothing happens until you press the button on that page.",
    ends: (hours, day, time) =>
      `The link works once, within ${hours === 1 ? "1 hour" : `${hours} hours`}: until ${day} at ${time} UTC.`,
    ignore:
      "If you did not ask for this, you do not need to do anything: nothing will be published or sent.",
    notMe: "This was not me: stop these emails",
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
    share: "Share it as widely as you can. These addresses are public:",
    page: "The alert’s page",
    shortLink: "Short link, for messages and posters",
    qr: "QR code, for posters",
    manage: "The link below opens a page that is only for you. There you can:",
    moves: {
      lost: [
        "say that your pet is home again",
        "renew the alert before it ends",
        "remove the alert",
      ],
      found: [
        "say that the animal is home again",
        "renew the alert before it ends",
        "remove the alert",
      ],
    },
    button: "Manage my alert",
    keepPrivate: "Keep this email to yourself: whoever has its link can end or remove your alert.",
    ends: (day) => `The alert runs until ${day}. We will write to you before it ends.`,
    beware:
      "Never send money in advance and never pass on a code, whatever the reason given. We never ask for either.",
  },

  link: {
    subject: (headline, code) => `Your private link: ${headline} (${code})`,
    title: "Your private link",
    opening: "You asked for the private link of your alert again. Here it is.",
    button: "Manage your alert",
    ignore: "You did not ask for it? Then you need do nothing: the link goes to this address only.",
  },

  admin: {
    subject: "Your way in to moderation",
    title: "Your way in to moderation",
    opening: (site) => `You asked to open the moderation pages of ${site}.`,
    button: "Open moderation",
    ends: (day, time) =>
      `The link works once, within 30 minutes: until ${day} at ${time} UTC. Whoever has it can moderate, so keep this email to yourself.`,
    ignore: "You did not ask for it? Then you need do nothing: the link goes to this address only.",
  },

  erase: {
    subject: "Erase everything about you",
    title: "Erase everything about you",
    opening: (site) =>
      `Someone, most likely you, asked to erase all that ${site} keeps under this email address.`,
    next: "Open the page below to see what there is. Nothing is erased until you press the button on that page.",
    button: "See what would be erased",
    ends: (day, time) =>
      `The link works once, within 48 hours: until ${day} at ${time} UTC. Whoever has it can erase your alerts, so keep this email to yourself.`,
    ignore:
      "You did not ask for it? Then you need do nothing: nothing is erased, and the link goes to this address only.",
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
      "Please answer on that page: a reply to this email reaches nobody. The other person does not see your address, and you do not see theirs.",
    beware:
      "Never send money in advance and never pass on a code: asking for a “verification code” is a common scam.",
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
    beware: "Never send money in advance and never pass on a code, whatever the reason given.",
  },

  zone: {
    subjectOne: (headline, code) => `New in your zone: ${headline} (${code})`,
    subjectMany: (count) => `${count} new alerts in your zone`,
    titleOne: "A new alert in your zone",
    opening: "There is news in the zone you watch.",
    openingNamed: (label) => `There is news in your zone “${label}”.`,
    seen: "Do you know something? Please write from the alert’s page: every hint helps.",
    more: (count) => (count === 1 ? "And 1 more alert." : `And ${count} more alerts.`),
    buttonOne: "See the alert",
    buttonMany: "See all alerts",
    why: "You get this email because you asked us to watch this zone.",
    unsubscribe: "Stop watching this zone",
  },

  match: {
    subject: (headline, code) => `Possible match: ${headline} (${code})`,
    title: "A possible match for your alert",
    opening: {
      lost: "Someone has found an animal that could be yours:",
      found: "Someone is looking for an animal that could be the one you found:",
    },
    score: (percent) =>
      `Of 100 pairs like this one, about ${percent} are the same animal. Please compare for yourself.`,
    reasons: "What speaks for and against it:",
    yours: "Your alert:",
    button: "Compare the two",
    notMine:
      "If it is not the same animal, say so on that page: neither of you will hear of this pair again.",
    beware:
      "Ask for a detail that only the right person can know. Never send money in advance and never pass on a code.",
    unsubscribe: "No more emails about matches for this alert",
  },

  reminder: {
    subject: (days, headline, code) =>
      `Your alert ends in ${days === 1 ? "1 day" : `${days} days`}: ${headline} (${code})`,
    title: (days) => `Your alert ends in ${days === 1 ? "1 day" : `${days} days`}`,
    opening: {
      lost: {
        dog: "Is your dog still missing? Then renew the alert: it takes a moment.",
        cat: "Is your cat still missing? Then renew the alert: it takes a moment.",
        bird: "Is your bird still missing? Then renew the alert: it takes a moment.",
        other: "Is your pet still missing? Then renew the alert: it takes a moment.",
      },
      found: {
        dog: "Is the dog you found still waiting for its family? Then renew the alert: it takes a moment.",
        cat: "Is the cat you found still waiting for its family? Then renew the alert: it takes a moment.",
        bird: "Is the bird you found still waiting for its family? Then renew the alert: it takes a moment.",
        other:
          "Is the pet you found still waiting for its family? Then renew the alert: it takes a moment.",
      },
    },
    orEnd: {
      lost: "Is your pet home again? Wonderful: please say so on the same page, so that nobody searches in vain.",
      found:
        "Is the animal home again? Wonderful: please say so on the same page, so that nobody searches in vain.",
    },
    ends: (day, time) => `If you do nothing, the alert ends on ${day} at ${time} UTC.`,
    button: "Renew or end my alert",
    keepPrivate: "Keep this email to yourself: whoever has its link can end or remove your alert.",
    unsubscribe: "No more reminders about this alert",
  },
};

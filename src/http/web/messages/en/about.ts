const counted = (count: number, one: string, many: string) =>
  `${count} ${count === 1 ? one : many}`;

/** About page. */
export const about = {
  about: {
    title: "About this service",
    lead: (site: string) =>
      `${site} is a public directory of lost and found pets. It is free and needs no account.`,
    contents: "On this page",
    how: "How it works",
    howItems: [
      "When you publish, send a message or subscribe, we email you a link first. Nothing happens until you confirm.",
      "Messages go through us. Neither side sees the other’s email address.",
      "Phone numbers, email addresses, links, account names and payment details are removed from public texts and messages. Street addresses are not: leave yours out.",
      "We compare lost and found alerts. If two could be the same animal, both sides get an email.",
    ],
    first: "What to do first",
    firstLead:
      "Most lost animals are found again, often close to home. These steps have helped others; start at the top.",
    guides: {
      cat: {
        title: "Your cat is missing",
        steps: [
          "Search the house first: wardrobes, drawers, under beds, behind appliances, the cellar, the car.",
          "Then search close to home, thoroughly. In a study of 1,210 missing cats, three out of four were found within 500 m of where they went missing, and going out to search raised the chance of finding the cat alive.",
          "Look under decks and in hedges, sheds and garages yourself, and ask your neighbours to let you look in theirs. A frightened cat hides and stays silent, even when its own family calls.",
          "Go out when it is quiet, late in the evening and before dawn, with a torch: a cat’s eyes reflect the light. Call softly, then wait and listen.",
          "Leave a way in open if it is safe, and put out food where the cat got out. Stay near and watch, or set up a camera.",
          "Publish an alert here, print the poster and hang it up nearby. Tell everyone in the area, including children and postal workers.",
          "Ask the local vets, shelters and council. If your cat has a chip, report it missing to the registry and check that your phone number there is right.",
          "Do not give up. In the same study, a third of the cats were found alive within 7 days, half within 30 days, and 61% within a year.",
        ],
      },
      dog: {
        title: "Your dog is missing",
        steps: [
          "Stay for a while where it ran off, or leave someone there with something that smells of home: many dogs come back to that place.",
          "If you see it, don’t run after it. A frightened dog runs even from people it loves. Sit down sideways, look away, speak softly, have food ready and let it come to you.",
          "Publish an alert here right away and share it. Ask people not to chase the dog, but to report where and when they saw it and which way it went.",
          "Search the neighbourhood and ask everyone you meet. In a US survey, 93% of lost dogs came home, most often because someone searched the neighbourhood or because they returned on their own, and 14% thanks to a tag on the collar.",
          "Call the police or the council, the shelters and the vets, farther out than you would expect. Call again every day or two.",
          "Hang up posters at crossroads: large, with few words, readable from a moving car.",
          "If your dog has a chip, report it missing to the registry and check that your phone number there is right.",
        ],
      },
      found: {
        title: "You found an animal",
        steps: [
          "Safety first. Don’t chase it: a frightened animal may bite or run into traffic. If it is in danger or hurt, call the police or an animal rescue service.",
          "Look for a tag. A healthy-looking cat outdoors is often just out for a walk: ask the neighbours first.",
          "Have it scanned for a chip: vets and shelters have a reader. The number leads to the registry, and the registry to the family.",
          "Report it as the law in your country requires: to the council, the police or a shelter. In many countries this is mandatory.",
          "Publish an alert here. Keep one detail to yourself, such as a marking or the collar.",
          "Anyone who claims the animal should know that detail, or show photos, veterinary papers or the chip registration. Never pay in advance, and never share a code.",
        ],
      },
    },
    sources: "Sources",
    registries: "Find the registry for a chip number:",
    privacy: "What we store, and for how long",
    kept: {
      where:
        "All data is in one folder on the server of the people who run this site. Nothing is shared, except that emails go through a mail server.",
      position: "We never store the exact position. We round it to about 1 km first.",
      photos:
        "Photos are re-encoded on arrival, which removes everything the camera wrote into them, including the location.",
      confirm: (hours: number) =>
        `A confirmation link works for ${hours} hours. Unconfirmed requests are then deleted.`,
      life: (dog: number, cat: number, other: number, found: number) =>
        `Alerts stay active for ${dog} days for a lost dog, ${cat} for a lost cat, ${other} for any other lost animal and ${found} for a found animal. They can be renewed.`,
      ended: (days: number) =>
        `The publisher’s address, all messages and all sightings are erased ${days} days after the alert ends. When an alert is removed, they are erased immediately, together with its text.`,
      zone: "The areas you get alerts for and your address are kept until you stop the emails.",
      chip: "A microchip number is never shown. We store a keyed fingerprint of it for comparison.",
      goesOutside:
        "Your answer to whether your cat goes outside is never shown. It only changes the scores that you see, and is erased together with your address.",
      outcome:
        "If an owner tells us how the animal came home, we keep the answer for statistics, separately from the alert.",
      confirmed: (days: number) =>
        `When you confirm something, we keep a keyed fingerprint of your address for ${days} days so that your emails go first if someone floods this site.`,
      stopped:
        "If you ask us to stop emailing you, we keep only a keyed fingerprint of your address so that we can honour it.",
      bounces: (days: number) =>
        `If emails to an address bounce, or one is reported as spam, we keep a keyed fingerprint of the address so that we send no more. It is deleted when something is confirmed from that address and, for bounces, after ${days} days.`,
      erased:
        "You can erase your data at any time: we email you a link to a page that shows what we have.",
      backups: (days: number) =>
        days === 0
          ? "This service makes no backups of its own; the people who run it may."
          : `Everything is backed up daily, and the last ${days} backups are kept. The people who run the site may make more.`,
      oldCopies: (days: number) =>
        `When the software is updated or a backup is restored, a copy of the previous data is kept for ${days} days.`,
      tombstones: (days: number) =>
        `We keep a keyed fingerprint of erased data for ${days} days so that restoring a backup doesn’t bring it back.`,
      reports: (days: number, logDays: number) =>
        `Reports are deleted ${days} days after a moderator has reviewed them, the moderation log after ${logDays} days.`,
      letters: (days: number) => `Emails we sent are deleted from our outbox after ${days} days.`,
      callers: (hours: number) =>
        `To prevent abuse, we count requests under a keyed fingerprint of the IP address for ${hours} hours.`,
      cookie: (days: number) =>
        `One cookie remembers the language you chose for ${days} days. Moderators have another while they are signed in. There are no others.`,
      tiles: (host: string) =>
        `Map images are loaded from ${host}, which sees your IP address like any website. Nothing else is loaded from other sites.`,
      noTiles: "Nothing is loaded from other sites.",
    },
    limits: "Limits",
    limitsLead: "From one IP address:",
    publications: (count: number) => counted(count, "alert", "alerts"),
    messages: (count: number) => counted(count, "message", "messages"),
    subscriptions: (count: number) => counted(count, "subscription", "subscriptions"),
    reads: (count: number) => counted(count, "page or request", "pages and requests"),
    anHour: (what: string) => `${what} an hour`,
    aMinute: (what: string) => `${what} a minute`,
    unlimited: {
      publications: "as many alerts as you like",
      messages: "as many messages as you like",
      subscriptions: "as many subscriptions as you like",
      reads: "as many pages and requests as you like",
    },
    perAlert: (toAlert: number, fromOne: number) =>
      `One person can send ${fromOne} messages a day about one alert. Its owner gets up to ${toAlert} messages a day one by one; any more are combined into one email an hour.`,
    perMailbox: (aDay: number) =>
      `One mailbox gets at most ${aDay} confirmation emails a day until something is confirmed. Further requests are listed in the next email.`,
    machines: "For developers",
    apiText: "Anyone can read alerts as JSON, without a key:",
    geojsonText: "As GeoJSON, for maps:",
    feedText: "As an Atom feed, for feed readers. All three take the same filters:",
    assistants: "For AI assistants",
    mcpText:
      "AI assistants can search, publish and send messages through our MCP server (Model Context Protocol, Streamable HTTP). It needs no account or key:",
    mcpPublic: "Assistants that run in the cloud can reach it only at a public https address.",
    connect: {
      claude: "Settings → Connectors → Add custom connector. Paste the address.",
      terminal: "In a terminal:",
      chatgpt:
        "Settings → Apps → Advanced settings: turn on developer mode. Then create an app there and paste the address; no authentication.",
      file: (path: string) => `In the file ${path}:`,
    },
    thanks: "Attribution",
    gazetteer: "Names and positions of towns come from",
    license: "under CC BY 4.0.",
    maps: (makers: string) => `Maps: ${makers}.`,
  },
};

const counted = (count: number, one: string, many: string) =>
  `${count} ${count === 1 ? one : many}`;

/** What this service is, what to do first, what is kept, limits, and where programs find it. */
export const about = {
  about: {
    title: "About this service",
    lead: (site: string) =>
      `${site} is a public directory of lost and found pets. It is free and needs no account.`,
    contents: "On this page",
    how: "How it works",
    howItems: [
      "Whoever publishes, writes or subscribes gets an email first. Nothing happens until that person opens its link and presses a button.",
      "Messages go through us. Neither side sees the other’s address.",
      "Phone numbers, addresses and links are taken out of public texts and messages.",
      "Lost and found alerts are compared. Where two could be the same animal, both sides get an email.",
    ],
    first: "What to do first",
    firstLead:
      "Most animals that get lost are found again, often close to home. These steps helped others; begin at the top.",
    guides: {
      cat: {
        title: "Your cat is missing",
        steps: [
          "Search the house first: wardrobes, drawers, under beds, behind machines, the cellar, the car.",
          "Then search close to home, thoroughly. In a study of 1,210 missing cats, three of four were found within 500 m of where they went missing; going out and searching raised the chance of finding the cat alive.",
          "Look with your own eyes under decks, in hedges, sheds and garages, and ask the neighbours to let you look in theirs. A frightened cat hides and stays silent, even when its own family calls.",
          "Go out when it is quiet, late in the evening and before dawn, with a torch: eyes shine back. Call softly, then wait and listen.",
          "Leave a way in open if it is safe, and put out food where the cat got out. Stay near and watch, or set up a camera.",
          "Publish an alert here, print the poster and hang it up around the place. Tell everybody nearby, children and the people who bring the post too.",
          "Ask the vets, shelters and the municipality around. If your cat has a chip, report it missing to the registry and check that your number there is right.",
          "Do not give up. In that study a third of the cats were found alive within 7 days, half within 30 days, and 61% within a year.",
        ],
      },
      dog: {
        title: "Your dog is missing",
        steps: [
          "Stay for a while where it ran off, or leave someone there with something that smells of home: many dogs come back to that place.",
          "When you see it, do not run after it. A frightened dog runs from people it loves. Sit down sideways, look away, speak softly, have food ready and let it come.",
          "Publish an alert here at once and pass it on. Ask people not to chase the dog, but to say where and when they saw it, and which way it went.",
          "Search the neighbourhood and ask everybody you meet. In a survey in the USA, 93% of lost dogs came home, most often because someone searched the neighbourhood or because they returned by themselves, and 14% through a tag on the collar.",
          "Call the police or the municipality, the shelters and the vets, further around than you think. Call again every day or two.",
          "Hang posters at crossroads: large, with few words, to be read from a moving car.",
          "If your dog has a chip, report it missing to the registry and check that your number there is right.",
        ],
      },
      found: {
        title: "You found an animal",
        steps: [
          "Safety first. Do not chase it; a frightened animal bites or runs into traffic. If it is in danger or hurt, call the police or an animal rescue service.",
          "Look for a tag. A cat outside that looks well is often only on its round: ask the neighbours first.",
          "Have it checked for a chip: vets and shelters have a reader. The number leads to the registry, and the registry to the family.",
          "Report it as the law of your country asks: to the municipality, the police or a shelter. In many countries this is a duty.",
          "Publish an alert here. Keep one detail to yourself, such as a mark or the collar.",
          "Whoever claims the animal should know that detail, or show photos, a vet’s papers or the chip’s registration. Never pay in advance and never pass on a code.",
        ],
      },
    },
    sources: "Sources",
    registries: "Which registry knows a chip’s number:",
    privacy: "What we keep, and for how long",
    kept: {
      where:
        "All of it lies in one folder on the machine of those who run this site. Nothing is passed on, except that emails go through a mail server.",
      position:
        "The exact position is never stored. We round it to about 1 km before we keep anything.",
      photos:
        "Photos are drawn anew when they arrive: what the camera wrote into them, the place too, is dropped.",
      confirm: (hours: number) =>
        `A link that asks you to confirm works for ${hours} hours. What nobody confirmed is deleted then.`,
      life: (dog: number, cat: number, other: number, found: number) =>
        `An alert runs for ${dog} days for a lost dog, ${cat} for a lost cat, ${other} for another lost animal and ${found} for a found one. It can be renewed.`,
      ended: (days: number) =>
        `The address of the person who published, all messages and all sightings are erased ${days} days after the alert’s end. When an alert is removed, they and its text are erased at once.`,
      zone: "A zone you watch and its address are kept until you stop the emails.",
      chip: "A microchip number is never shown. We keep a keyed fingerprint of it, to compare.",
      outcome:
        "Where an owner tells how the animal came home, we keep that for counting, apart from the alert.",
      stopped:
        "An address that asked us to stop writing is kept as a keyed fingerprint only, so that we stay silent.",
      erased:
        "You can have everything erased at any time: we send a link to your address, and the page behind it says what there is.",
      backups: (days: number) =>
        days === 0
          ? "This service makes no backup copies by itself; those who run it may make some."
          : `A backup copy of everything is made each day, and the last ${days} are kept. Those who run the site may make more.`,
      tombstones: (days: number) =>
        `What was erased is noted as a keyed fingerprint for ${days} days, so that no backup copy brings it back.`,
      reports: (days: number, logDays: number) =>
        `What someone reported is deleted ${days} days after a moderator looked at it, the moderators’ log after ${logDays} days.`,
      letters: (days: number) => `Emails we sent are deleted from our outbox after ${days} days.`,
      callers: (hours: number) =>
        `To hold off abuse we count requests under a keyed fingerprint of the internet address, for ${hours} hours.`,
      cookie: (days: number) =>
        `One cookie remembers the language you chose, for ${days} days. Moderators have another one while they are signed in. There are no others.`,
      tiles: (host: string) =>
        `Maps load their pictures from ${host}, which sees your internet address like any website. Nothing else is loaded from elsewhere.`,
      noTiles: "Nothing is loaded from elsewhere.",
    },
    limits: "Limits",
    limitsLead: "From one internet address:",
    publications: (count: number) => counted(count, "alert", "alerts"),
    messages: (count: number) => counted(count, "message", "messages"),
    subscriptions: (count: number) => counted(count, "zone to watch", "zones to watch"),
    reads: (count: number) => counted(count, "page or request", "pages and requests"),
    anHour: (what: string) => `${what} an hour`,
    aMinute: (what: string) => `${what} a minute`,
    unlimited: {
      publications: "as many alerts as you like",
      messages: "as many messages as you like",
      subscriptions: "as many zones to watch as you like",
      reads: "as many pages and requests as you like",
    },
    perAlert: (toAlert: number, fromOne: number) =>
      `One alert takes ${toAlert} messages a day, ${fromOne} of them from the same person.`,
    perMailbox: (waiting: number, aDay: number) =>
      `One mailbox gets no more than ${waiting} emails that wait to be confirmed, and ${aDay} a day that nobody confirms.`,
    machines: "For programs",
    apiText: "Alerts can be read by anyone as JSON, without a key:",
    geojsonText: "As GeoJSON, for maps:",
    feedText: "As an Atom feed, for feed readers. All three take the same filters:",
    assistants: "For AI assistants",
    mcpText:
      "AI assistants search, publish and write through the tool server (Model Context Protocol, Streamable HTTP). It needs no account and no key:",
    mcpPublic:
      "Assistants that run elsewhere reach it only under a public address that begins with https.",
    connect: {
      claude: "Settings → Connectors → Add custom connector. Paste the address.",
      terminal: "In a terminal:",
      chatgpt:
        "Settings → Apps → Advanced settings: switch on the developer mode. Then create an app there and paste the address; no authentication.",
      file: (path: string) => `In the file ${path}:`,
    },
    thanks: "Attribution",
    gazetteer: "Names and positions of towns come from",
    license: "under CC BY 4.0.",
    maps: (makers: string) => `Maps: ${makers}.`,
  },
};

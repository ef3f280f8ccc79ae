/** The poster, and telling that an animal was seen. */
export const poster = {
  poster: {
    link: "Print a poster",
    linkHint: "With a QR code and strips to tear off. It shows no contact details.",
    title: "Poster",
    lead: "Print it at 100%, in colour or black and white. Hang it at eye level, in a clear sleeve, near where it happened.",
    far: "The large sheet can be read from a moving car: hang it low at crossings, facing the traffic.",
    print: "Print",
    paper: "Paper",
    papers: { a4: "A4", letter: "US Letter" },
    sheet: "Sheet",
    sheets: { tear: "With strips to tear off", far: "Readable from a car" },
    preview: "The sheet",
    back: "Back to the alert",
    on: { lost: (day: string) => `Lost on ${day}`, found: (day: string) => `Found on ${day}` },
    near: (place: string) => `near ${place}`,
    call: { lost: "Seen it? Please tell us:", found: "Do you know it? Please tell us:" },
    scan: "Scan the code or open this address. No account needed.",
    over: {
      resolved: "This animal is home again. Please take its posters down. Thank you!",
      expired:
        "This alert has run out. Its owner can renew it by the private link; then there is a poster again.",
    },
  },
  sighting: {
    link: "I see it here now",
    linkHint: "Tell place and time: it helps the search at once.",
    list: "Sightings",
    unproven: "What people told us; each could be another animal.",
    /** `km` is null where no more is known than the town. */
    near: (place: string, km: number | null) =>
      km === null
        ? `in ${place}`
        : `near ${place}, about ${km}\u00a0km from the place of the alert`,
    alertHere: { lost: "Lost here", found: "First seen here" },
    seenHere: "Seen",
    title: "Tell where you saw it",
    lead: "Thank you for stopping to help.",
    calm: "Please do not chase or call it: frightened animals run from strangers. A photo from afar helps.",
    place: "Where did you see it?",
    when: "When did you see it?",
    now: "Now",
    hoursAgo: (hours: number) => (hours === 1 ? `${hours} hour ago` : `${hours} hours ago`),
    daysAgo: (days: number) => (days === 1 ? `${days} day ago` : `${days} days ago`),
    note: "What did you see?",
    noteHint:
      "Which way it went, whether it seemed hurt. Public: contact details and links are taken out.",
    email: "Your email address",
    emailHint:
      "Never shown. We send a link there; your sighting is passed on when you press the button behind it.",
    button: "Continue",
    closed: {
      home: "This animal is home again, so nobody needs to look for it any more.",
      held: "This animal is in somebody’s care, so nobody needs to look for it.",
    },
  },
};

/** Poster and sightings. */
export const poster = {
  poster: {
    link: "Print a poster",
    linkHint: "With a QR code and tear-off strips. It shows no contact details.",
    title: "Poster",
    lead: "Print it at 100%, in colour or black and white. Hang it at eye level in a clear sleeve, close to where it happened.",
    far: "The large sheet can be read from a moving car: hang it low at crossroads, facing the traffic.",
    print: "Print",
    paper: "Paper",
    papers: { a4: "A4", letter: "US Letter" },
    sheet: "Layout",
    sheets: { tear: "With tear-off strips", far: "Readable from a car" },
    preview: "Preview",
    back: "Back to the alert",
    on: { lost: (day: string) => `Lost on ${day}`, found: (day: string) => `Found on ${day}` },
    near: (place: string) => `near ${place}`,
    call: { lost: "Seen it? Please tell us:", found: "Do you know it? Please tell us:" },
    scan: "Scan the code or open this address. No account needed.",
    over: {
      resolved: "This animal is home again. Please take its posters down. Thank you!",
      expired:
        "This alert has expired. Its owner can renew it with the private link; then the poster is available again.",
    },
  },
  sighting: {
    link: "I saw this animal",
    linkHint: "Tell us where and when: it helps the search right away.",
    list: "Sightings",
    unproven: "Reported by visitors. Any of them could be a different animal.",
    /** `km` is null if only the town is known. */
    near: (place: string, km: number | null) =>
      km === null
        ? `in ${place}`
        : `near ${place}, about ${km}\u00a0km from the place in the alert`,
    alertHere: { lost: "Lost here", found: "First seen here" },
    seenHere: "Seen",
    title: "I saw this animal",
    lead: "Thank you for stopping to help.",
    calm: "Please don’t chase it or call it: frightened animals run from strangers. A photo from a distance helps.",
    place: "Where did you see it?",
    when: "When did you see it?",
    now: "Now",
    hoursAgo: (hours: number) => (hours === 1 ? `${hours} hour ago` : `${hours} hours ago`),
    daysAgo: (days: number) => (days === 1 ? `${days} day ago` : `${days} days ago`),
    note: "What did you see?",
    noteHint:
      "Which way it went, whether it seemed hurt. This is public. Phone numbers, email addresses and links are removed; street addresses are not.",
    email: "Your email address",
    emailHint: "Never shown. We’ll email you a link to confirm and post your sighting.",
    button: "Continue",
    closed: {
      home: "This animal is home again, so the search is over.",
      held: "Someone is already taking care of this animal, so there is no search for it.",
    },
  },
};

import type { poster as en } from "../en/poster.ts";

export const poster: typeof en = {
  poster: {
    link: "Plakat drucken",
    linkHint: "Mit QR-Code und Streifen zum Abreißen. Es zeigt keine Kontaktdaten.",
    title: "Plakat",
    lead: "Drucken Sie es mit 100\u00a0%, farbig oder schwarz-weiß. Hängen Sie es in einer Klarsichthülle auf Augenhöhe auf, nahe am Ort.",
    far: "Das große Blatt ist aus dem fahrenden Auto lesbar: Hängen Sie es an Kreuzungen auf, zum Verkehr hin.",
    print: "Drucken",
    paper: "Papier",
    papers: { a4: "DIN A4", letter: "Letter (USA)" },
    sheet: "Format",
    sheets: { tear: "Mit Streifen zum Abreißen", far: "Aus dem Auto lesbar" },
    preview: "Vorschau",
    back: "Zurück zur Meldung",
    on: { lost: (day) => `Vermisst seit ${day}`, found: (day) => `Gefunden am ${day}` },
    near: (place) => `bei ${place}`,
    call: {
      lost: "Gesehen? Bitte sagen Sie es uns:",
      found: "Kennen Sie es? Bitte sagen Sie es uns:",
    },
    scan: "Scannen Sie den Code oder öffnen Sie diese Adresse. Ohne Konto.",
    over: {
      resolved: "Dieses Tier ist wieder zu Hause. Bitte nehmen Sie die Plakate ab. Danke!",
      expired:
        "Diese Meldung ist abgelaufen. Wer sie veröffentlicht hat, kann sie über den privaten Link verlängern; dann gibt es das Plakat wieder.",
    },
  },
  sighting: {
    link: "Ich habe es gesehen",
    linkHint: "Nennen Sie Ort und Zeit: Das hilft der Suche sofort.",
    list: "Sichtungen",
    unproven: "Von Besuchern gemeldet. Es kann jeweils ein anderes Tier sein.",
    near: (place, km) =>
      km === null ? `in ${place}` : `bei ${place}, rund ${km}\u00a0km vom Ort der Meldung`,
    alertHere: { lost: "Hier vermisst", found: "Zuerst hier gesehen" },
    seenHere: "Gesehen",
    title: "Ich habe es gesehen",
    lead: "Danke, dass Sie sich die Zeit nehmen.",
    calm: "Bitte nicht verfolgen und nicht rufen: Verängstigte Tiere fliehen vor Fremden. Ein Foto aus der Ferne hilft.",
    place: "Wo haben Sie es gesehen?",
    when: "Wann haben Sie es gesehen?",
    now: "Jetzt gerade",
    hoursAgo: (hours) => (hours === 1 ? `Vor ${hours} Stunde` : `Vor ${hours} Stunden`),
    daysAgo: (days) => (days === 1 ? `Vor ${days} Tag` : `Vor ${days} Tagen`),
    note: "Was haben Sie gesehen?",
    noteHint:
      "Wohin es lief, ob es verletzt wirkte. Öffentlich: Telefonnummern, E-Mail-Adressen und Links werden entfernt, Postanschriften nicht.",
    email: "Ihre E-Mail-Adresse",
    emailHint:
      "Wird nie gezeigt. Wir senden einen Link dorthin; veröffentlicht wird Ihre Sichtung, sobald Sie sie über diesen Link bestätigen.",
    button: "Weiter",
    closed: {
      home: "Dieses Tier ist wieder zu Hause, niemand muss mehr danach suchen.",
      held: "Um dieses Tier kümmert sich schon jemand, niemand muss danach suchen.",
    },
  },
};

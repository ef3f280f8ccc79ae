import type { Messages } from "../messages.ts";

/** Reports and moderation. */
export const moderation: Pick<Messages, "report" | "admin"> = {
  report: {
    link: "Diese Meldung beanstanden",
    title: "Diese Meldung beanstanden",
    lead: "Die Moderation sieht sie sich an. Wer sie veröffentlicht hat, erfährt nicht, von wem die Beanstandung kommt.",
    reason: "Was stimmt nicht?",
    choose: "Bitte wählen",
    reasons: {
      scam: "Es ist Betrug",
      personal_data: "Sie zeigt persönliche Daten von jemandem",
      offensive: "Sie ist beleidigend",
      no_animal: "Es geht nicht um ein vermisstes oder gefundenes Tier",
      not_true: "Es ist nicht wahr",
      other: "Etwas anderes",
    },
    text: "Was sollte die Moderation wissen?",
    textHint: "Das liest nur die Moderation.",
    button: "Beanstandung senden",
    thanksTitle: "Danke für den Hinweis",
    thanks: "Die Moderation sieht es sich an.",
    back: "Zurück zur Meldung",
    conversationLink: "Diese Unterhaltung beanstanden",
    conversationTitle: "Diese Unterhaltung beanstanden",
    conversationLead:
      "Wenn Sie die Beanstandung senden, kann die Moderation alle Nachrichten dieser Unterhaltung lesen. Adressen sieht sie nicht, und die andere Person erfährt nichts davon.",
    conversationBack: "Zurück zur Unterhaltung",
  },
  admin: {
    title: "Moderation",
    signIn: "Die Moderation meldet sich über einen Link an, der per E-Mail kommt.",
    signInButton: "Link senden",
    over: "Ihre Sitzung ist vorbei. Bitte melden Sie sich noch einmal an.",
    spent:
      "Dieser Link wurde schon benutzt, oder seine 30 Minuten sind vorbei. Bitte fordern Sie einen neuen an.",
    sent: (address) =>
      `Wenn ${address} zur Moderation gehört, ist ein Link dorthin unterwegs. Er gilt ein einziges Mal, 30 Minuten lang.`,
    enterTitle: "Moderation öffnen",
    enter: "Sie bleiben auf diesem Gerät 30 Minuten lang angemeldet.",
    enterButton: "Moderation öffnen",
    who: (email) => `Angemeldet als ${email}`,
    signOut: "Abmelden",
    queue: "Beanstandet",
    queueEmpty: "Nichts ist beanstandet.",
    odd: "Oft geändert",
    oddEmpty: "Keine Meldung wird auffällig oft geändert.",
    oddLine: (inDay, inWeek) =>
      `Angaben, die für Treffer zählen, wurden ${inDay}-mal an einem Tag geändert, ${inWeek}-mal in einer Woche.`,
    hidden: "Verborgen",
    hiddenEmpty: "Keine Meldung ist verborgen.",
    log: "Protokoll der Moderation",
    logEmpty: "Noch keine Einträge.",
    reports: "Beanstandungen",
    conversation: "Die beanstandete Unterhaltung",
    stranger: "Wer geschrieben hat",
    owner: "Wer veröffentlicht hat",
    see: "Öffentliche Seite öffnen",
    status: {
      active: "Alle können sie sehen.",
      resolved: "Wieder zu Hause. Wer die Adresse kennt, sieht sie.",
      expired: "Abgelaufen. Wer die Adresse kennt, sieht sie.",
      hidden:
        "Verborgen: Nur die Person, die sie veröffentlicht hat, und die Moderation können sie sehen.",
      removed: "Entfernt.",
    },
    act: {
      hide: "Verbergen",
      restore: "Wieder zeigen",
      remove: "Endgültig entfernen",
      block: "Person sperren, die sie veröffentlicht hat",
      block_writer: "Person sperren, die geschrieben hat",
      dismiss: "Beanstandungen schließen",
    },
    hint: {
      hide: "Von allen Seiten und aus jeder Suche, bis sie wieder gezeigt wird.",
      restore: "Wie vorher. Wer sie veröffentlicht hat, kann diese Seite wieder benutzen.",
      remove: "Löscht Text, Bilder und Nachrichten.",
      block: "Verbirgt alle Meldungen dieser Adresse und beendet ihre E-Mails.",
      block_writer:
        "Verbirgt alle Meldungen dieser Adresse, schließt ihre Unterhaltungen und beendet ihre E-Mails.",
      dismiss:
        "Schließt die Beanstandungen, nimmt die Meldung aus diesen Listen und lässt sie, wie sie ist.",
    },
    did: {
      hide: "verborgen",
      restore: "wieder gezeigt",
      remove: "entfernt",
      block: "Adresse der Meldung gesperrt",
      block_writer: "Adresse der Nachricht gesperrt",
      dismiss: "Beanstandungen geschlossen",
    },
    done: {
      hide: "Die Meldung ist verborgen.",
      restore: "Die Meldung wird wieder gezeigt.",
      remove: "Die Meldung ist entfernt.",
      block: "Die Adresse ist gesperrt, ihre Meldungen sind verborgen.",
      block_writer: "Die Adresse ist gesperrt, ihre Unterhaltungen sind geschlossen.",
      dismiss:
        "Die Beanstandungen sind geschlossen, und die Meldung steht nicht mehr in diesen Listen.",
    },
    ask: {
      remove: "Diese Meldung endgültig entfernen?",
      block: "Die Adresse sperren, die dies veröffentlicht hat?",
      block_writer: "Die Adresse sperren, die dazu geschrieben hat?",
    },
    askText: {
      remove:
        "Ihre Seite, ihr Text und alle Nachrichten dazu werden sofort gelöscht. Das lässt sich nicht rückgängig machen.",
      block:
        "Alle Meldungen dieser Adresse werden verborgen, ihre Unterhaltungen geschlossen, und was sie anfordert, bekommt keine E-Mail zur Bestätigung mehr. Wird diese Meldung wieder gezeigt, ist die Sperre aufgehoben.",
      block_writer:
        "Alle Meldungen dieser Adresse werden verborgen, ihre Unterhaltungen geschlossen, und was sie anfordert, bekommt keine E-Mail zur Bestätigung mehr. Das lässt sich hier nicht rückgängig machen.",
    },
    yes: { remove: "Ja, entfernen", block: "Ja, sperren", block_writer: "Ja, sperren" },
    no: "Nein, zurück",
    line: (moment, who, did, code) => `${moment}: ${who}, ${did}, ${code}`,
  },
};

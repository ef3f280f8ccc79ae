import type { publish as en } from "../en/publish.ts";

export const publish: typeof en = {
  publish: {
    title: { lost: "Mein Tier ist weg", found: "Ich habe ein Tier gefunden" },
    lead: {
      lost: "Wenige Angaben genügen. Vor dem Veröffentlichen können Sie noch alles ändern.",
      found:
        "Wenige Angaben genügen, damit seine Familie es findet. Vor dem Veröffentlichen können Sie noch alles ändern.",
    },
    type: "Was ist geschehen?",
    lostIt: "Mein Tier ist weg",
    foundIt: "Ich habe ein Tier gefunden oder gesehen",
    species: "Welches Tier?",
    choose: "Bitte wählen",
    place: { lost: "Wo wurde es zuletzt gesehen?", found: "Wo wurde es gefunden?" },
    eventDate: { lost: "Seit wann ist es weg?", found: "Wann wurde es gefunden?" },
    eventDateHint: "Leer lassen für heute.",
    color: "Farbe und Zeichnung",
    colorHint: "Zum Beispiel: grau getigert, weiße Pfoten",
    more: "Weitere Angaben (freiwillig)",
    nameHint: "Der Name, auf den es hört.",
    breedHint: "Rasse oder Aussehen.",
    descriptionHint: {
      lost: "Halsband, Abzeichen, Gewohnheiten, Verhalten gegenüber Fremden.",
      found:
        "Halsband, Abzeichen, Verhalten. Behalten Sie ein Merkmal für sich: Wer das Tier abholen will, sollte es kennen.",
    },
    microchip: "Chipnummer",
    microchipHint: "Wird nie gezeigt. Sie dient nur zum Vergleichen.",
    emailHint:
      "Wird nie gezeigt. Wir senden einen Link dorthin; öffentlich wird die Meldung, sobald Sie sie über diesen Link bestätigen.",
    almostTitle: "Ist es vielleicht eines von diesen?",
    almostLead: "Diese Meldungen ähneln Ihrer. Bitte vergleichen Sie, bevor Sie veröffentlichen.",
    noneOfThese: "Keines davon: weiter",
    back: "Meldung bearbeiten",
  },
  photoField: {
    legend: "Fotos",
    hint: (max) =>
      `Bis zu ${max} Fotos. Das erste wird am größten gezeigt. Nichts hilft mehr als ein Foto.`,
    choose: "Fotos auswählen",
    add: "Fotos hinzufügen",
    keep: (count) => `Foto ${count} behalten`,
    first: (count) => `Foto ${count} zuerst zeigen`,
    preview: (count) => `Foto ${count}`,
    remove: "Entfernen",
    makeFirst: "Zuerst zeigen",
    shrinking: "Die Fotos werden vorbereitet …",
    tooMany: "Höchstens {max} Fotos: Die übrigen wurden weggelassen.",
    unreadable: "„{name}“ ließ sich nicht als Foto lesen.",
    positionAsk: "Dieses Foto enthält den Aufnahmeort. Soll die Markierung dorthin?",
    positionYes: "Ja, diesen Ort nehmen",
    positionNo: "Nein",
  },
  waiting: {
    title: "Bitte prüfen Sie Ihr Postfach",
    sent: (address) =>
      `Wir senden eine E-Mail an ${address}, falls diese Adresse gerade E-Mails von uns empfangen kann.`,
    next: {
      publish:
        "Ihre Meldung ist noch nicht öffentlich. Bestätigen Sie über den Link in der E-Mail.",
      message:
        "Ihre Nachricht ist noch nicht gesendet. Bestätigen Sie über den Link in der E-Mail.",
      zone: "Ihr Gebiet ist noch nicht aktiv. Bestätigen Sie über den Link in der E-Mail.",
      sighting:
        "Ihre Sichtung ist noch nicht veröffentlicht. Bestätigen Sie über den Link in der E-Mail.",
    },
    until: (moment) => `Der Link funktioniert bis zum ${moment}.`,
    again: "Noch einmal senden",
    againHint: "Nach einer Minute nichts da? Sehen Sie zuerst im Spam-Ordner nach.",
    sentAgain: (aDay) =>
      `Wir senden noch eine E-Mail, falls diese Adresse gerade eine empfangen kann. Eine Adresse bekommt höchstens ${aDay} unbestätigte am Tag; wenn Sie eine bestätigen, können wir weitere senden. Andere Anfragen stehen in der nächsten E-Mail, innerhalb eines halben Tages.`,
    usedUp: "Wir haben sie schon zweimal gesendet. Kommt nichts an, prüfen Sie bitte die Adresse.",
    correct: "Stimmt die Adresse nicht?",
    correctButton: "An diese Adresse senden",
    confirmedTitle: "Bestätigt",
    confirmed: "Erledigt.",
    see: "Zur Meldung",
    overTitle: "Dieser Link gilt nicht mehr",
    over: "Er ist abgelaufen, die Anfrage wurde zurückgezogen oder an eine andere Adresse geschickt. Über diesen Link wurde nichts veröffentlicht oder gesendet.",
    code: (code) => `Ihre Meldung wird den Code ${code} haben.`,
  },
  findMine: {
    title: "Meine Meldungen",
    lead: "Geben Sie die Adresse an, mit der Sie veröffentlicht haben. Wir senden den Link jeder Ihrer Meldungen dorthin.",
    part: (part) => `Das ist Teil ${part} einer langen Liste von Meldungen.`,
    button: "Links senden",
    sent: (address) =>
      `Wenn Meldungen mit ${address} veröffentlicht wurden, sind ihre Links dorthin unterwegs.`,
  },
  edit: {
    title: "Meldung bearbeiten",
    button: "Speichern",
    back: "Zurück ohne Änderung",
    link: "Text, Fotos oder Ort bearbeiten",
    hint: "Alle sehen die neue Fassung sofort.",
    saved: "Gespeichert.",
    savedWithout: "Gespeichert. Ein Teil des Textes wurde entfernt: siehe unten.",
  },
  outcome: {
    title: "Wie kam es nach Hause?",
    lead: "Zwei Angaben, die anderen beim Suchen helfen. Gespeichert ohne Angaben, die auf Sie schließen lassen.",
    how: "Auf welche Weise",
    ways: {
      came_back: "Es kam von selbst zurück",
      searched: "Ich fand es beim Suchen",
      told_by_neighbour: "Jemand aus der Nachbarschaft sagte es mir",
      poster: "Durch ein Plakat",
      this_site: "Durch diese Seite",
      shelter_or_vet: "Durch Tierheim oder Tierarzt",
      other: "Anders",
    },
    distance: "Wie weit weg war es?",
    distances: {
      under_100_m: "weniger als 100 m",
      under_500_m: "weniger als 500 m",
      under_2_km: "weniger als 2 km",
      under_10_km: "weniger als 10 km",
      farther: "weiter",
    },
    unsaid: "Möchte ich nicht sagen",
    button: "Senden",
    thanks: "Vielen Dank!",
  },
  contact: {
    title: {
      owner: "Nachricht an die Familie",
      finder: "An die Finderin oder den Finder schreiben",
      shelter: "Nachricht an das Tierheim",
    },
    hidden: (reader) =>
      `${reader} erhält Ihren Namen und Ihre Nachricht, aber nicht Ihre Adresse. Antworten leiten wir Ihnen per E-Mail weiter.`,
    name: "Ihr Name",
    emailHint:
      "Dorthin senden wir einen Link. Ihre Nachricht wird gesendet, sobald Sie sie über diesen Link bestätigen.",
    message: "Ihre Nachricht",
    messageHint: {
      lost: "Wann und wo haben Sie es gesehen?",
      found:
        "Woran erkennen Sie, dass es Ihres ist? Nennen Sie Abzeichen, Halsband oder Gewohnheiten, die nur seine Familie kennt.",
    },
    beware:
      "Überweisen Sie nie Geld im Voraus und geben Sie nie einen Code weiter, nach dem jemand Sie fragt.",
    closed: "Dieses Tier ist wieder zu Hause. Die Meldung nimmt keine Nachrichten mehr an.",
    nobody: "Diese Meldung nimmt keine Nachrichten an: Auf diesem Server betreut sie niemand.",
  },
  subscribe: {
    title: "Meldungen für ein Gebiet erhalten",
    lead: "Wir schreiben Ihnen, wenn dort eine neue Meldung erscheint. Sie können das jederzeit beenden.",
    which: "Mehrere Orte heißen so. Welcher ist es?",
    radius: "Umkreis",
    label: "Ein Name für dieses Gebiet",
    labelHint: "Nur Sie sehen ihn, in unseren E-Mails. Zum Beispiel: Zuhause.",
    emailHint:
      "Dorthin senden wir einen Link. Die Meldungen kommen, sobald Sie über diesen Link bestätigen.",
  },
  embed: {
    more: (site) => `Alle Meldungen auf ${site}`,
    wrong: "Diese Liste kann nicht gezeigt werden: In ihrer Adresse steckt ein Fehler.",
    title: "Für die eigene Website",
    text: "Zeigen Sie auf Ihrer Website die neuesten Meldungen rund um Ihren Ort. Kopieren Sie diesen Code und setzen Sie Ihren Ort ein. Die Liste setzt keine Cookies und führt keine Skripte aus:",
    filters: "Weitere Parameter:",
    docs: "Alle Adressen mit ihren Parametern und Beispielen:",
  },
};

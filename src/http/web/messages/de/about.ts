import type { about as en } from "../en/about.ts";

const counted = (count: number, one: string, many: string) =>
  `${count} ${count === 1 ? one : many}`;

export const about: typeof en = {
  about: {
    title: "Über diesen Dienst",
    lead: (site) =>
      `${site} ist ein öffentliches Verzeichnis vermisster und gefundener Haustiere. Es ist kostenlos und braucht kein Konto.`,
    contents: "Auf dieser Seite",
    how: "So funktioniert es",
    howItems: [
      "Wer etwas veröffentlicht, schreibt oder Meldungen abonniert, bekommt zuerst eine E-Mail. Nichts geschieht, bevor diese Person über den Link bestätigt.",
      "Nachrichten gehen über uns. Niemand sieht die Adresse der anderen Person.",
      "Telefonnummern, E-Mail-Adressen, Links, Kontonamen und Zahlungsdaten werden aus öffentlichen Texten und Nachrichten entfernt. Postanschriften nicht: Lassen Sie Ihre weg.",
      "Meldungen vermisster und gefundener Tiere werden verglichen. Könnten zwei dasselbe Tier meinen, bekommen beide Seiten eine E-Mail.",
    ],
    first: "Was zuerst zu tun ist",
    firstLead:
      "Die meisten vermissten Tiere werden wiedergefunden, oft ganz in der Nähe. Diese Schritte haben anderen geholfen; beginnen Sie oben.",
    guides: {
      cat: {
        title: "Ihre Katze ist verschwunden",
        steps: [
          "Suchen Sie zuerst im Haus: in Schränken und Schubladen, unter Betten, hinter Geräten, im Keller, im Auto.",
          "Suchen Sie dann gründlich in nächster Nähe. In einer Studie über 1210 vermisste Katzen fanden sich drei von vier innerhalb von 500\u00a0m; wer hinausging und suchte, fand die Katze öfter lebend wieder.",
          "Sehen Sie selbst unter Terrassen, in Hecken, Schuppen und Garagen nach, und bitten Sie die Nachbarn, bei ihnen nachsehen zu dürfen. Eine verängstigte Katze versteckt sich und bleibt still, auch wenn ihre Familie ruft.",
          "Gehen Sie hinaus, wenn es ruhig ist, spät am Abend und vor der Morgendämmerung, mit einer Taschenlampe: Augen leuchten zurück. Rufen Sie leise, dann warten und lauschen Sie.",
          "Lassen Sie einen Weg ins Haus offen, wenn das gefahrlos geht, und stellen Sie Futter dorthin, wo die Katze entlaufen ist. Bleiben Sie in der Nähe und beobachten Sie, oder stellen Sie eine Kamera auf.",
          "Veröffentlichen Sie hier eine Meldung, drucken Sie das Plakat und hängen Sie es in der Umgebung auf. Sagen Sie es allen in der Nähe, auch den Kindern und der Post.",
          "Fragen Sie Tierarztpraxen, Tierheime und die Gemeinde in der Umgebung. Hat Ihre Katze einen Chip, melden Sie sie beim Register als vermisst und prüfen Sie, ob Ihre Nummer dort stimmt.",
          "Geben Sie nicht auf. In jener Studie war ein Drittel der Katzen nach 7 Tagen lebend gefunden, die Hälfte nach 30 Tagen und 61\u00a0% nach einem Jahr.",
        ],
      },
      dog: {
        title: "Ihr Hund ist verschwunden",
        steps: [
          "Bleiben Sie eine Weile dort, wo er weggelaufen ist, oder lassen Sie jemanden dort mit etwas, das nach Zuhause riecht: Viele Hunde kommen an diesen Ort zurück.",
          "Wenn Sie ihn sehen, laufen Sie ihm nicht nach. Ein verängstigter Hund flieht auch vor Menschen, die er liebt. Setzen Sie sich seitlich hin, sehen Sie weg, sprechen Sie leise, halten Sie Futter bereit und lassen Sie ihn kommen.",
          "Veröffentlichen Sie hier sofort eine Meldung und geben Sie sie weiter. Bitten Sie alle, den Hund nicht zu jagen, sondern zu sagen, wo und wann sie ihn gesehen haben und wohin er lief.",
          "Suchen Sie in der Nachbarschaft und fragen Sie alle, die Sie treffen. In einer Umfrage in den USA kamen 93\u00a0% der vermissten Hunde nach Hause, am häufigsten, weil jemand in der Nachbarschaft suchte oder weil sie von selbst zurückkamen, und 14\u00a0% durch eine Marke am Halsband.",
          "Rufen Sie die Polizei oder die Gemeinde, die Tierheime und Tierarztpraxen an, weiter im Umkreis, als Sie denken. Rufen Sie alle ein bis zwei Tage wieder an.",
          "Hängen Sie Plakate an Kreuzungen auf: groß, mit wenigen Wörtern, aus dem fahrenden Auto lesbar.",
          "Hat Ihr Hund einen Chip, melden Sie ihn beim Register als vermisst und prüfen Sie, ob Ihre Nummer dort stimmt.",
        ],
      },
      found: {
        title: "Sie haben ein Tier gefunden",
        steps: [
          "Sicherheit zuerst. Jagen Sie es nicht: Ein verängstigtes Tier beißt oder läuft in den Verkehr. Ist es in Gefahr oder verletzt, rufen Sie die Polizei oder eine Tierrettung.",
          "Sehen Sie nach einer Marke. Eine Katze im Freien, die gesund aussieht, macht oft nur ihre Runde: Fragen Sie zuerst die Nachbarn.",
          "Lassen Sie nach einem Chip sehen: Tierarztpraxen und Tierheime haben ein Lesegerät. Die Nummer führt zum Register und das Register zur Familie.",
          "Melden Sie den Fund, wie das Gesetz Ihres Landes es verlangt: der Gemeinde, der Polizei oder einem Tierheim. In vielen Ländern ist das Pflicht.",
          "Veröffentlichen Sie hier eine Meldung. Behalten Sie eine Einzelheit für sich, etwa ein Abzeichen oder das Halsband.",
          "Wer das Tier beansprucht, sollte diese Einzelheit kennen oder Fotos, Papiere der Tierarztpraxis oder die Registrierung des Chips zeigen. Überweisen Sie nie Geld im Voraus und geben Sie nie einen Code weiter.",
        ],
      },
    },
    sources: "Belege",
    registries: "Register zu einer Chipnummer finden:",
    privacy: "Was wir speichern, und wie lange",
    kept: {
      where:
        "Alles liegt in einem Ordner auf dem Server der Betreiber dieser Seite. Nichts wird weitergegeben; nur E-Mails gehen über einen Mailserver.",
      position:
        "Die genaue Position wird nie gespeichert. Wir runden sie auf etwa 1\u00a0km, bevor wir irgendetwas speichern.",
      photos:
        "Fotos werden beim Eingang neu kodiert: Alles, was die Kamera hineingeschrieben hat, auch der Ort, wird entfernt.",
      confirm: (hours) =>
        `Ein Link zum Bestätigen funktioniert ${hours} Stunden lang. Was niemand bestätigt hat, wird dann gelöscht.`,
      life: (dog, cat, other, found) =>
        `Eine Meldung läuft ${dog} Tage für einen vermissten Hund, ${cat} für eine vermisste Katze, ${other} für ein anderes vermisstes Tier und ${found} für ein gefundenes. Sie kann verlängert werden.`,
      ended: (days) =>
        `Die Adresse der Person, die veröffentlicht hat, alle Nachrichten und alle Sichtungen werden ${days} Tage nach dem Ende der Meldung gelöscht. Wird eine Meldung entfernt, so werden sie und ihr Text sofort gelöscht.`,
      zone: "Die Gebiete, aus denen Sie Meldungen erhalten, und Ihre Adresse bleiben gespeichert, bis Sie die E-Mails beenden.",
      chip: "Eine Chipnummer wird nie gezeigt. Wir speichern nur einen verschlüsselten Fingerabdruck davon, zum Vergleichen.",
      goesOutside:
        "Ihre Antwort auf die Frage, ob Ihre Katze nach draußen geht, wird nie gezeigt. Sie ändert nur die Werte, die Sie selbst sehen, und wird zusammen mit Ihrer Adresse gelöscht.",
      outcome:
        "Wenn die Familie uns sagt, wie das Tier nach Hause kam, speichern wir die Antwort für die Statistik, getrennt von der Meldung.",
      confirmed: (days) =>
        `Wird von einer Adresse aus etwas bestätigt, bewahren wir ${days} Tage lang einen verschlüsselten Fingerabdruck der Adresse auf, damit ihre E-Mails zuerst gehen, wenn Fremde diese Seite überfluten.`,
      stopped:
        "Wenn Sie keine E-Mails mehr möchten, speichern wir von Ihrer Adresse nur einen verschlüsselten Fingerabdruck, damit wir uns daran halten.",
      bounces: (days) =>
        `Kommen E-Mails an eine Adresse zurück oder wird eine als Spam gemeldet, bewahren wir einen verschlüsselten Fingerabdruck der Adresse auf, damit wir keine mehr senden. Er wird gelöscht, sobald von dieser Adresse aus etwas bestätigt wird, und nach ${days} Tagen, wenn E-Mails zurückkamen.`,
      erased:
        "Sie können jederzeit alles löschen lassen: Wir senden Ihnen den Link zu einer Seite, die zeigt, was wir haben.",
      backups: (days) =>
        days === 0
          ? "Dieser Dienst macht von sich aus keine Sicherungskopien; seine Betreiber können welche machen."
          : `Jeden Tag wird eine Sicherungskopie von allem gemacht, und die letzten ${days} werden aufbewahrt. Die Betreiber der Seite können weitere machen.`,
      oldCopies: (days) =>
        `Eine neue Version der Software oder eine zurückgespielte Sicherung lässt eine Kopie des Standes davor zurück; sie wird nach ${days} Tagen gelöscht.`,
      tombstones: (days) =>
        `Von gelöschten Daten speichern wir ${days} Tage lang einen verschlüsselten Fingerabdruck, damit keine Sicherungskopie sie zurückbringt.`,
      reports: (days, logDays) =>
        `Beanstandungen werden ${days} Tage nach der Prüfung gelöscht, das Protokoll der Moderation nach ${logDays} Tagen.`,
      letters: (days) =>
        `Gesendete E-Mails werden nach ${days} Tagen aus unserem Postausgang gelöscht.`,
      callers: (hours) =>
        `Gegen Missbrauch zählen wir Anfragen unter einem verschlüsselten Fingerabdruck der IP-Adresse, ${hours} Stunden lang.`,
      cookie: (days) =>
        `Ein Cookie merkt sich die gewählte Sprache, ${days} Tage lang. Moderatoren haben ein weiteres, solange sie angemeldet sind. Andere gibt es nicht.`,
      tiles: (host) =>
        `Karten laden ihre Bilder von ${host}; dort ist Ihre IP-Adresse zu sehen wie auf jeder Website. Sonst wird nichts von anderswo geladen.`,
      noTiles: "Nichts wird von anderswo geladen.",
    },
    limits: "Grenzen",
    limitsLead: "Von einer IP-Adresse:",
    publications: (count) => counted(count, "Meldung", "Meldungen"),
    messages: (count) => counted(count, "Nachricht", "Nachrichten"),
    subscriptions: (count) => counted(count, "Abonnement", "Abonnements"),
    reads: (count) => counted(count, "Seite oder Anfrage", "Seiten und Anfragen"),
    anHour: (what) => `${what} in der Stunde`,
    aMinute: (what) => `${what} in der Minute`,
    unlimited: {
      publications: "beliebig viele Meldungen",
      messages: "beliebig viele Nachrichten",
      subscriptions: "beliebig viele Abonnements",
      reads: "beliebig viele Seiten und Anfragen",
    },
    perAlert: (toAlert, fromOne) =>
      `Eine Person kann am Tag ${fromOne} Nachrichten zu einer Meldung senden. Wer die Meldung veröffentlicht hat, bekommt bis zu ${toAlert} am Tag einzeln; weitere fassen wir in einer E-Mail pro Stunde zusammen.`,
    perMailbox: (aDay) =>
      `Ein Postfach bekommt höchstens ${aDay} Bestätigungs-E-Mails am Tag, solange nichts bestätigt wird. Weitere Anfragen stehen in der nächsten.`,
    machines: "Für Entwickler",
    apiText: "Alle können die Meldungen als JSON lesen, ohne Schlüssel:",
    geojsonText: "Als GeoJSON, für Karten:",
    feedText: "Als Atom-Feed, für Feed-Reader. Alle drei nehmen dieselben Filter an:",
    assistants: "Für KI-Assistenten",
    mcpText:
      "KI-Assistenten suchen, veröffentlichen und schreiben über unseren MCP-Server (Model Context Protocol, Streamable HTTP). Er braucht weder Konto noch Schlüssel:",
    mcpPublic: "Assistenten in der Cloud erreichen ihn nur unter einer öffentlichen https-Adresse.",
    connect: {
      claude:
        "Einstellungen → Konnektoren → Benutzerdefinierten Konnektor hinzufügen. Fügen Sie die Adresse ein.",
      terminal: "In einem Terminal:",
      chatgpt:
        "Einstellungen → Apps → Erweiterte Einstellungen: Schalten Sie den Entwicklermodus ein. Legen Sie dort eine App an und fügen Sie die Adresse ein; ohne Authentifizierung.",
      file: (path) => `In der Datei ${path}:`,
    },
    thanks: "Quellen",
    gazetteer: "Namen und Lage der Orte stammen von",
    license: "unter der Lizenz CC BY 4.0.",
    maps: (makers) => `Karten: ${makers}.`,
  },
};

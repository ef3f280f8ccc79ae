import type { faults as en } from "../en/faults.ts";

export const faults: typeof en = {
  trouble: {
    heading: "Bitte korrigieren Sie Folgendes",
  },
  fieldFault: {
    missing: "bitte ausfüllen",
    empty: "bitte ausfüllen",
    not_valid: "bitte noch einmal prüfen",
    other_type: "bitte noch einmal prüfen",
    number: "bitte eine Zahl angeben",
    whole_number: "bitte eine ganze Zahl angeben",
    text: "hier ist nur Text möglich",
    twice: "das wurde mehrmals gesendet",
    wordless: "bitte mindestens ein Wort angeben",
    choice: "bitte eine der Möglichkeiten wählen",

    email: "bitte genau eine Adresse angeben, zum Beispiel name@example.org",
    alert_ref: "das ist keine Meldung",
    date: "bitte ein Datum angeben, zum Beispiel 2026-11-21",
    time: "bitte ein Datum angeben, zum Beispiel 2026-11-21",
    future: "das liegt in der Zukunft",
    second_time: "bitte nur eine Zeit angeben",
    too_early: (day) => `bitte nicht vor dem ${day}`,
    chip: "eine Chipnummer hat 9, 10 oder 15 Zeichen",
    country: "bitte zwei Buchstaben angeben, zum Beispiel DE",

    half_position: "bitte den Ort noch einmal wählen",
    no_centre: "bitte auch einen Ort angeben",
    cursor: "bitte starten Sie die Suche neu: Diese Seite gehört zu einer anderen",
    cursor_of_newest: "bitte starten Sie die Suche neu: Diese Seite gehört zu einer anderen",
    cursor_of_nearest: "bitte starten Sie die Suche neu: Diese Seite gehört zu einer anderen",
    unknown_town: "diesen Ort kennen wir nicht; versuchen Sie es mit der nächsten größeren Stadt",
    town_like: (towns) => `diesen Ort kennen wir nicht; vielleicht ${towns}`,

    found_only: "nur für gefundene Tiere",
    lost_cats_only: "nur für vermisste Katzen",
    photo_gone: "eines ist nicht mehr da; bitte wählen Sie es noch einmal",
    at_least: (limit) => `mindestens ${limit}`,
    more_than: (limit) => `mehr als ${limit}`,
    at_most: (limit) => `höchstens ${limit}`,
    longest: (limit) => `höchstens ${limit} Zeichen`,
    most_entries: (limit) => `höchstens ${limit}`,
  },
  fault: {
    title: {
      bad_input: "Das hat nicht geklappt",
      forbidden: "Das ist nicht erlaubt",
      not_found: "Seite nicht gefunden",
      bad_method: "So geht das nicht",
      not_acceptable: "So geht das nicht",
      conflict: "Das ist jetzt nicht möglich",
      gone: "Diese Meldung gibt es nicht mehr",
      too_large: "Das war zu viel",
      bad_type: "So geht das nicht",
      too_many: "Bitte warten Sie einen Moment",
      unavailable: "Wir sind bald wieder da",
    },
    general: {
      bad_input:
        "Einen Teil davon konnten wir nicht verstehen. Bitte gehen Sie zurück und prüfen Sie Ihre Angaben.",
      forbidden: "Von hier aus geht das nicht.",
      not_found: "Vielleicht ist der Link unvollständig, oder die Seite wurde entfernt.",
      bad_method: "Diese Adresse lässt sich so nicht verwenden.",
      not_acceptable: "Diese Adresse lässt sich so nicht verwenden.",
      conflict: "Inzwischen hat sich etwas geändert. Bitte sehen Sie noch einmal nach.",
      gone: "Diese Seite wurde entfernt.",
      too_large: "Das ist mehr, als wir auf einmal annehmen können.",
      bad_type: "Diese Adresse lässt sich so nicht verwenden.",
      too_many: "Zu viele Anfragen in kurzer Zeit. Bitte versuchen Sie es später noch einmal.",
      unavailable: "Bitte versuchen Sie es in ein paar Minuten noch einmal.",
    },
    because: {
      nothing_here: "Diese Seite gibt es nicht.",
      other_site: "Dieses Formular wurde von einer anderen Website gesendet.",
      forms_only: "Diese Adresse lässt sich so nicht verwenden.",
      form_broken: "Dieses Formular kam beschädigt an und ließ sich nicht lesen.",

      code_unknown: "Keine Meldung hat diesen Kurzcode. Vielleicht ist er falsch abgetippt.",
      alert_unknown: "Diese Meldung gibt es nicht. Vielleicht fehlt ein Teil des Links.",
      alert_waiting:
        "Diese Meldung ist noch nicht öffentlich. Sie erscheint hier, sobald sie über den Link in unserer E-Mail bestätigt ist.",
      alert_unconfirmed:
        "Diese Meldung ist nie erschienen: Sie wurde nicht rechtzeitig per E-Mail bestätigt.",
      alert_removed:
        "Diese Meldung wurde von der Person, die sie veröffentlicht hat, oder von uns entfernt.",
      alert_changed: "Die Meldung wurde gerade geändert. Bitte prüfen Sie sie noch einmal.",
      alert_ended: "Eine beendete Meldung lässt sich nicht mehr ändern.",
      not_home_yet: "Das können Sie mitteilen, sobald das Tier wieder zu Hause ist.",
      animal_home:
        "Dieses Tier ist wieder zu Hause; zu seiner Meldung werden keine Nachrichten mehr angenommen.",
      no_owner: "Diese Meldung nimmt keine Nachrichten an: Auf diesem Server betreut sie niemand.",
      move_closed: "Das lässt die Meldung in ihrem jetzigen Zustand nicht zu.",

      link_dead: "Dieser Link ist abgelaufen oder unvollständig.",
      link_unknown: "Diesen Link kennen wir nicht. Vielleicht fehlt ein Teil davon.",
      sent_twice: "Diese E-Mail wurde schon zweimal gesendet oder wird nicht mehr gebraucht.",
      address_fixed:
        "Die Adresse lässt sich nicht mehr ändern. Bitte senden Sie das Formular noch einmal.",
      sender_sightings_full:
        "Sie haben heute schon so viele Sichtungen dieses Tiers gemeldet, wie eine Person an einem Tag kann. Bitte bestätigen Sie morgen noch einmal.",
      not_at_large:
        "Nach diesem Tier muss niemand mehr suchen; zu seiner Meldung werden keine Sichtungen angenommen.",
      ended_long_ago:
        "Diese Meldung ist schon lange beendet; es werden keine Sichtungen mehr angenommen.",
      sender_messages_full:
        "Sie haben heute schon so viele Nachrichten zu dieser Meldung geschickt, wie eine Person an einem Tag kann. Bitte bestätigen Sie morgen noch einmal.",
      its_alert_removed: "Die Meldung, um die es ging, wurde entfernt.",

      conversation_erased: "Diese Unterhaltung wurde gelöscht.",
      conversation_closed:
        "Diese Unterhaltung wurde geschlossen: Niemand kann mehr darin schreiben.",
      conversation_over:
        "Ihre Unterhaltung zu dieser Meldung wurde geschlossen: Die andere Person erhält keine Nachrichten mehr.",
      nobody_left: "Auf der anderen Seite dieser Unterhaltung ist niemand mehr.",
      enough_for_today: "Das ist genug für heute. Morgen können Sie weiterschreiben.",

      busy: "Gerade kommen sehr viele Anfragen an. Bitte versuchen Sie es in einer Minute noch einmal.",
      request_slow: "Die Anfrage kam zu langsam an.",

      sign_in: "Bitte melden Sie sich an.",
      admin_link_spent: "Dieser Link wurde schon verwendet, oder seine 30 Minuten sind vorbei.",

      photo_unknown: "Dieses Foto gibt es nicht.",
      photo_empty: "Eine der Fotodateien ist leer. Bitte wählen Sie eine andere.",
      photo_broken: "Ein Foto lässt sich nicht lesen: Die Datei ist beschädigt oder unvollständig.",
      photo_heic:
        "HEIC- und AVIF-Fotos können wir nicht lesen. Bitte senden Sie JPEG, PNG oder WebP.",
      photo_type:
        "Eine der Dateien ist kein Foto, das wir lesen können. Bitte senden Sie JPEG, PNG, WebP oder GIF.",
      photos_wait:
        "Gerade kommen sehr viele Fotos an. Bitte gehen Sie zurück und senden Sie das Formular in einer Minute noch einmal: Ihr Browser hat behalten, was Sie geschrieben haben.",
      photos_slow:
        "Die Fotos kamen zu langsam an. Bitte gehen Sie zurück und senden Sie weniger oder kleinere; Sie können auch ohne Fotos veröffentlichen und sie später hinzufügen.",
      photos_not_kept:
        "Wir können gerade keine Fotos speichern. Bitte versuchen Sie es in einer Minute noch einmal.",
      photos_too_large: (mb) =>
        `Die Fotos sind zusammen zu groß: höchstens ${mb} MB. Bitte wählen Sie weniger oder kleinere.`,
      photo_too_large: (mb) => `Ein Foto ist größer als ${mb} MB.`,
      photo_too_wide: (megapixels) => `Ein Foto hat mehr als ${megapixels} Millionen Pixel.`,
      request_too_large: "Das ist mehr, als wir auf einmal annehmen können.",
      zones_full: (count) =>
        `Sie erhalten schon Meldungen aus ${count} Gebieten, mehr geht nicht. Beenden Sie eines davon und bestätigen Sie dann noch einmal.`,
      too_often: (minutes) =>
        `Zu viele Anfragen in kurzer Zeit. Bitte versuchen Sie es in ${minutes} ${minutes === 1 ? "Minute" : "Minuten"} noch einmal.`,
      too_often_just_now: (seconds) =>
        `Zu viele Anfragen in kurzer Zeit. Bitte versuchen Sie es in ${seconds} ${seconds === 1 ? "Sekunde" : "Sekunden"} noch einmal.`,
    },
    bugTitle: "Da ist etwas schiefgegangen",
    bugText: (request) =>
      `Das war unser Fehler, nicht Ihrer. Er ist unter ${request} notiert; bitte versuchen Sie es später noch einmal.`,
    home: "Zu den neuesten Meldungen",
  },
};

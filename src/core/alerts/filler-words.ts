import { tokenize } from "../../text/tokenize.ts";
import type { AlertType } from "../../values/animal.ts";

/** Words without a meaning for a search, in the languages of the product, folded as `tokenize` folds them. */
export const FILLER_WORDS: ReadonlySet<string> = new Set(
  [
    // English
    "a an the and or of in on at to for from by with without near around about into as is are was were be been has have had",
    "i me my mine you your he him his she her hers it its we us our they them their this that these those there here who which",
    "some any very really quite kind sort looking look looks like please named called pet pets animal animals",
    // French
    "le la les l un une des du de d et ou a au aux en dans sur pour par avec sans pres vers est sont etait ete",
    "je j me m mon ma mes moi tu ton ta tes il elle on nous notre nos vous votre vos ils elles ce cet cette ces qui que qu",
    "tres peu cherche appele appelee nomme nommee animaux compagnie",
    // Spanish
    "el los las uno una unos unas y o del al con sin por para cerca es son era esta estan fue he ha",
    "yo mi mis tu tus su sus nuestro nuestra nuestros nuestras que quien este esta esto estos estas ese esa",
    "muy busco llamado llamada mascota mascotas animales",
    // German
    "der die das den dem des ein eine einen einem einer eines und oder von vom im am an auf zu zum zur fur bei beim mit ohne nahe um ist sind war",
    "ich mir mich mein meine meinen meinem meiner du dein deine er sie es wir uns unser unsere ihr ihre sein seine dieser diese dieses",
    "sehr etwas suche namens haustier haustiere tier tiere",
    // Arabic
    "في من الى على عن مع بدون او هذا هذه هو هي انا لي جدا حيوان",
  ].flatMap((words) => tokenize(words, Number.POSITIVE_INFINITY)),
);

/** Words for one type of alerts, folded. */
export const TYPE_WORDS: ReadonlyMap<string, AlertType> = new Map([
  ...tokenize(
    "lost missing perdu perdue perdus perdues disparu disparue perdido perdida vermisst verloren entlaufen مفقود مفقودة",
    Number.POSITIVE_INFINITY,
  ).map((word) => [word, "lost"] as const),
  ...tokenize(
    "found trouve trouvee trouves trouvees encontrado encontrada gefunden zugelaufen",
    Number.POSITIVE_INFINITY,
  ).map((word) => [word, "found"] as const),
]);

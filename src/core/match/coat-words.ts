import type { Language } from "../alert.ts";
import type { BaseColor, Pattern } from "./coat.ts";

/**
 * What a word tells of a coat. `tuxedo` is black and white in two fields, `three` the tricolour of a dog or the
 * calico of a cat, `dilute` the grey in place of black of a tortie or calico.
 */
export type CoatSign = BaseColor | Pattern | "tuxedo" | "three" | "dilute";

/**
 * The words of each language, without accents, in the form that `endingsOf` inflects. `blue`, `yellow` and `red` are
 * said of fur for grey, tan and orange. What is no colour by itself ("spot", "patch": one on the chest) is left out.
 */
export const COAT_WORDS: Readonly<
  Record<Language, Readonly<Partial<Record<CoatSign, readonly string[]>>>>
> = {
  en: {
    black: words("black blk blck bk jet ebony raven onyx midnight"),
    white: words("white wht whte wh wt ivory snow snowy albino pearl"),
    grey: words(`grey gray gry gy silver silvery slvr silv charcoal slate ash ashen smoke smokey smoky smoked pewter
      steel gunmetal lilac lavender grizzle grizzled pepper salt wolf taupe chinchilla`),
    brown:
      words(`brown brn brwn bwn br chocolate choclate choc liver chestnut mahogany sepia mink seal coffee mocha
      cocoa havana bronze agouti`),
    orange: words(
      "orange orng org ginger marmalade rust rusty copper ruby sorrel flame blenheim tangerine",
    ),
    tan: words(`tan fawn golden gold gld cream creamy crm buff beige sand sandy blond blonde wheat wheaten honey
      champagne apricot peach caramel biscuit sable cinnamon isabella toffee butterscotch straw camel`),
    yellow: words("yellow yel yello yellw ylw lemon lutino"),
    red: words("red reddish scarlet crimson"),
    blue: words("blue blu turquoise teal aqua cobalt violet purple"),
    green: words("green grn olive emerald"),
    pink: words("pink"),
    solid: words("solid self all whole plain pure fully entirely completely totally"),
    tabby:
      words(`tabby tabbi tabbie tabbies tabbey tabb tab mackerel striped stripe stripey stripy tiger blotched
      marbled marble lynx`),
    tortie: words(
      "tortie torti torty tort tor tortoise tortoiseshell tortishell tortoishell tourtie torbie torby",
    ),
    calico: words("calico callico calicoe caliby"),
    three: words("tri tricolor tricolour tricolored tricoloured tricol"),
    bicolor:
      words(`bicolor bicolour bicolored bicoloured piebald pied parti particolor particolour particolored pinto
      patched patches tone toned`),
    tuxedo: words("tuxedo tuxido tuxie tux"),
    brindle: words("brindle brindled brindel brindal brndl brind"),
    merle: words("merle merled merl mrl dapple dappled"),
    pointed: words("point pt pts pointed colorpoint colourpoint siamese himalayan"),
    spotted:
      words(`spotted spots spotty speckled speckle speckles flecked freckled freckles ticked ticking roan
      mottled dotted dots harlequin leopard rosettes rosetted`),
    dilute: words("dilute diluted muted"),
  },
  fr: {
    black: words("noir ebene jais"),
    white: words("blanc blanche ivoire neige"),
    grey: words(
      "gris grisatre argent argente cendre ardoise anthracite souris fume poivre sel perle taupe",
    ),
    brown: words("brun marron chocolat chatain noisette havane cafe acajou"),
    orange: words("orange roux rousse rouquin rouille cuivre"),
    tan: words(
      "fauve beige creme sable dore blond feu abricot froment ble caramel cannelle miel champagne",
    ),
    yellow: words("jaune"),
    red: words("rouge rougeatre"),
    blue: words("bleu bleute turquoise violet lilas"),
    green: words("vert"),
    pink: words("rose"),
    solid: words("uni unicolore tout entierement completement totalement"),
    tabby: words("tigre raye rayure zebre marbre maquereau tabby"),
    tortie: words("ecaille tortue"),
    three: words("tricolore"),
    bicolor: words("bicolore pie"),
    brindle: words("bringe"),
    merle: words("merle"),
    pointed: words("colourpoint siamois himalayen"),
    spotted: words("tachete taches mouchete mouchetures pommele arlequin"),
    dilute: words("dilue"),
  },
  es: {
    black: words("negro negrito azabache prieto"),
    white: words("blanco blanquito albino marfil nieve"),
    grey: words("gris grisaceo plateado plata ceniza cenizo plomo humo perla pimienta sal"),
    brown: words(
      "marron cafe castano chocolate achocolatado pardo parduzco higado caoba bronce chocolatado",
    ),
    orange: words("naranja naranjo anaranjado pelirrojo colorado cobrizo jengibre"),
    tan: words(`canela canelo crema beige dorado rubio arena miel amielado leonado bayo fuego trigo trigueno vainilla
      champan champana caramelo albaricoque`),
    yellow: words("amarillo amarillento"),
    red: words("rojo rojizo"),
    blue: words("azul azulado celeste turquesa morado violeta"),
    green: words("verde"),
    pink: words("rosa rosado"),
    solid: words("solido liso unicolor todo entero completamente totalmente"),
    tabby: words("atigrado tigre tigrado barcino rayado rayas listado"),
    tortie: words("carey concha tortuga"),
    calico: words("calico"),
    three: words("tricolor"),
    bicolor: words("bicolor pio overo pinto"),
    brindle: words("bardino verdino"),
    merle: words("merle mirlo"),
    pointed: words("colorpoint siames siamesa himalayo"),
    spotted: words("manchado manchas moteado motas pecas arlequin"),
    dilute: words("diluido"),
  },
  de: {
    black: words("schwarz schwarzlich"),
    white: words("weiss weisslich elfenbein"),
    grey: words(
      "grau graulich silber silbern silbrig anthrazit rauch schiefer maus wolf pfeffer salz",
    ),
    brown: words("braun braunlich schoko schokolade kastanie leber haselnuss kaffee havanna"),
    orange: words("orange fuchs kupfer rost ingwer"),
    tan: words(`beige creme cremig sand gold golden goldig blond falb weizen semmel apricot loh lohe honig zimt
      karamell champagner isabell reh`),
    yellow: words("gelb gelblich"),
    red: words("rot rotlich"),
    blue: words("blau blaulich turkis lila violett"),
    green: words("grun grunlich"),
    pink: words("rosa"),
    solid: words("einfarbig uni ganz komplett rein vollig vollstandig"),
    tabby: words("getigert getiegert tiger gestreift streifen gestreift marmoriert"),
    tortie: words("schildpatt schildplatt schildpat schildkrot schildkrote"),
    calico: words("gluckskatze gluckskater"),
    three: words("dreifarbig dreifarb trikolor tricolor"),
    bicolor: words("zweifarbig bicolor bikolor gescheckt scheckig schecke"),
    brindle: words("gestromt stromung"),
    merle: words("merle"),
    pointed: words("siam siamesisch"),
    spotted: words(
      "gefleckt flecken fleckig gepunktet punkte getupft tupfen gesprenkelt getupfelt harlekin",
    ),
    dilute: words("verdunnt"),
  },
};

/** Parts of compounds that tell no colour of their own: dunkelgrau, sandfarben, blackandwhite. */
export const COMPOUND_FILLERS: readonly string[] = words(
  "hell dunkel mittel tief schnee pech raben asch farben farbend farbig and und light dark",
);

/** Two colours in two letters, as in B/W, S/W (German) and N&B (French, Spanish); either may come first. */
export const INITIALS: ReadonlyMap<string, readonly BaseColor[]> = new Map(
  words("bw wb sw ws nb bn").map((letters) => [letters, ["black", "white"]]),
);

/**
 * What has a colour and is no coat. The colour stands before it in English and German ("blue eyes") and after it in
 * French and Spanish ("yeux bleus"); only a colour of the same language goes with it, so that "collar" may be both.
 */
export const NOT_COAT: Readonly<
  Record<Language, { readonly colour: "before" | "after"; readonly things: readonly string[] }>
> = {
  en: {
    colour: "before",
    things:
      words(`collar collars harness leash lead tag tags bandana bandanna bell sweater jacket eye eyes eyed
      nose nosed tongue`),
  },
  fr: {
    colour: "after",
    things: words(
      "collier harnais laisse medaille bandana foulard grelot oeil yeux nez truffe langue",
    ),
  },
  es: {
    colour: "after",
    things: words("collar arnes correa placa panuelo cascabel chaleco ojo ojos nariz trufa lengua"),
  },
  de: {
    colour: "before",
    things: words("halsband geschirr leine marke halstuch glocke auge augen augig nase zunge"),
  },
};

/** "No white", "pas de blanc": the colour behind it is not there. */
export const NEGATIONS: readonly string[] = words(
  "no not without non sans pas aucun sin ni ohne kein keine keinen nicht",
);
/** What may stand between a negation and its colour. */
export const AFTER_NEGATION: readonly string[] = words("any a de d du le viel much mucho trop");

/** The forms that a word takes in a language, itself among them. */
export function formsOf(word: string, language: Language): readonly string[] {
  if (language === "es" && word.endsWith("o")) {
    return ["o", "a", "os", "as"].map((ending) => word.slice(0, -1) + ending);
  }
  return ENDINGS[language].map((ending) => word + ending);
}

const ENDINGS: Readonly<Record<Language, readonly string[]>> = {
  en: ["", "s", "ish"],
  fr: ["", "e", "s", "es"],
  es: ["", "s", "es"],
  de: ["", "e", "er", "es", "en", "em"],
};

function words(text: string): readonly string[] {
  return text.split(/\s+/);
}

import { getCountries } from "libphonenumber-js/min";

/**
 * Whether a label can end a host name in public text. Countries come from the phone table (ISO 3166 codes are
 * country domains, but for a few); the rest is a choice from IANA's root zone: names people use.
 */
export function isTopLevel(label: string): boolean {
  return COUNTRIES.has(label) || GENERIC.has(label) || NATIVE.test(label);
}

/** Top-level names that are also words or units: "white dot in the face", "home.It was", "point de vue". */
export function isWord(label: string): boolean {
  return WORDS.has(label);
}

const COUNTRIES = new Set([
  ...getCountries().map((code) => code.toLowerCase()),
  ...words("uk eu su tf gs pn"),
]);

const GENERIC = new Set(
  words(`com org net edu gov mil int info biz name pro mobi tel asia cat coop aero jobs museum travel post
    app dev page blog web site website online store shop tech xyz icu top vip win bid club live life fun space
    world today news media social network chat email mail cloud host hosting digital agency studio design art
    photo photos pics pictures gallery video film music link click download help support care health vet pet pets
    dog rescue charity foundation ngo ong org community family kids baby group team company business services
    solutions center zone city town house home homes land farm garden earth green blue red pink black gold
    london paris berlin wien hamburg koeln bayern tirol nyc miami vegas boston amsterdam barcelona madrid
    bzh corsica alsace eus gal quebec scot wales irish swiss africa lat
    one first best cool wtf lol ooo plus now run rocks ninja guru expert review reviews guide directory wiki
    cafe bar pub restaurant pizza beer wine coffee fit yoga bike cars taxi tours holiday
    cash fund gifts sale deals market trade exchange finance money bank credit loan insure insurance
    science school academy education university college institute training legal law
    work works tools systems software computer technology engineering games game play bet poker casino
    love date dating sexy porn sex adult xxx moe buzz zip bot foo day gdn monster quest beauty hair skin makeup
    arpa onion`),
);

/** Country domains in their own letters, as a reading folds them. */
const NATIVE =
  /^(?:xn--[a-z0-9-]{2,59}|рф|рус|бел|укр|срб|мкд|бг|ею|қаз|ελ|москва|онлаин|саит|орг|中国|中國|香港|台灣|台湾|新加坡|公司|网络|网址|在线|한국|한국닷컴|みんな|コム|مصر|السعودية|الجزائر|المغرب|تونس|امارات|ايران|عمان|قطر|فلسطين|سورية|العراق|الاردن|موقع|شبكة|भारत|ಭಾರತ|ไทย)$/u;

const WORDS = new Set(
  words(`ac ad ae ag ai al am an ar as at au ba be bi by ca cm de do eh el er es et eu fi fm ga gg gr he hm hr
    id ie il im in io is it je ke kg km la lb li ma me mg ml mm mo mr ms mu my na ne ni no nu om on pa pm re sa se
    si so sr st su ta td te tf th to tu um us va ve vi vu ya
    name post pro tel cat coop jobs museum travel page blog web site website online store shop top vip win bid
    club live life fun space world today news media social network chat mail cloud host digital agency studio
    design art photo photos pics pictures gallery video film music link click download help support care health
    vet pet pets dog rescue charity foundation community family kids baby group team company business services
    solutions center zone city town house home homes land farm garden earth green blue red pink black gold
    london paris berlin wien hamburg miami boston madrid quebec wales swiss africa
    one first best cool plus now run rocks guide review reviews cafe bar pub restaurant pizza beer wine coffee fit
    bike cars taxi tours holiday cash fund gifts sale deals market trade exchange money bank credit science school
    academy education university college work works tools systems computer games game play bet love date dating
    sexy sex adult buzz zip bot day monster quest beauty hair skin makeup int`),
);

function words(list: string): string[] {
  return list.split(/\s+/).filter((word) => word !== "");
}

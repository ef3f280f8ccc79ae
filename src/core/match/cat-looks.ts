import type { Nearness } from "./looks.ts";

/**
 * The look-groups of cats, set out as those of dogs (`dog-looks.ts`). A breed that shows two looks at once stands in
 * both: a Birman is long-haired and pointed like a Siamese.
 */
export const CAT_LOOKS = {
  shorthair: `
    Domestic Shorthair, Shorthair, Short Hair, DSH, Dom SH, Dom Shorthair, Domestic Short, Domestic SH, Poil court,
    Pelo corto, Kurzhaar, Kurzhaarkatze; American Shorthair, ASH; European Shorthair, European, Européen, Européenne,
    Europeo, Común europeo, Europea, EKH, Europäisch Kurzhaar, Europäische Kurzhaar, Europäische Kurzhaarkatze, Común,
    Europäer; House Cat, Housecat, Hauskatze, Hauskater, Chat de maison, Gato doméstico, Gato casero, Domestic, EHK;
    Alley Cat, Gouttière, Chat de gouttière, Callejero, Gato común, Moggy, Moggie, Straßenkatze, Chat commun, Barn
    Cat, Bauernhofkatze; Bombay, Bombaykatze; Brazilian Shorthair; American Wirehair; Celtic Shorthair, Keltisch
    Kurzhaar; Snowshoe; Singapura; Burmilla`,
  mediumhair: `
    Domestic Medium Hair, Medium Hair, Mediumhair, DMH, Dom MH, Domestic MH, Domestic Mediumhair, Domestic Medium,
    Semi-long, Poil mi-long, Mi-long, Pelo semilargo, Semilargo, Pelo medio, Halblanghaar, Halblanghaarkatze,
    Halblang, Semi Longhair, Medium`,
  longhair: `
    Domestic Longhair, Longhair, Long Hair, DLH, Dom LH, Domestic Long, Domestic LH, Poil long, Pelo largo, Langhaar,
    Langhaarkatze, American Longhair, British Longhair, Britisch Langhaar, BLH; Maine Coon, Mainecoon, Main Coon,
    Coon, Mancoon, Maine Coone, Mainecoon; Norwegian Forest Cat, Norwegian Forest, Norwegian, Norvégien, Noruego,
    Bosque de Noruega, Skogkatt, Norsk Skogkatt, Norwegische Waldkatze, Norweger, Wegie, NFC, NFO, Forest Cat,
    Waldkatze; Siberian, Siberian Forest Cat, Sibérien, Siberiano, Sibirische Katze, Sibirer, Sibirische Waldkatze,
    Sibirisch; Neva Masquerade; Turkish Angora, Angora, Angora turc, Angora turco, Türkisch Angora, Angorakatze,
    Ankara; Turkish Van, Van Cat, Turc de Van, Van turco, Türkisch Van, Van; Ragdoll, Rag Doll, Ragdol; Ragamuffin;
    Birman, Sacré de Birmanie, Sagrado de Birmania, Heilige Birma, Birma, Birmanie, Sacred Birman, Birmano, Sacré;
    Balinese, Balinais, Balinés, Javanese, Oriental Longhair; Somali; Nebelung; Tiffany, Chantilly, Tiffanie, Asian
    Longhair; Cymric; Selkirk Rex Longhair; Himalayan, Himalayen, Himalayo, Himmy, Himalaya`,
  persian: `
    Persian, Persan, Persane, Persa, Perser, Perserkatze; Himalayan, Himalayen, Himalayo, Himmy, Himalaya; Exotic
    Shorthair, Exotic, Exótico, Exotisch Kurzhaar, Exotic Shorthaired; Chinchilla, Chinchilla Persian; Napoleon,
    Minuet`,
  siamese: `
    Siamese, Siamois, Siamoise, Siamés, Siamesa, Siamkatze, Siam, Siamkater, Thai, Thaikatze, Meezer, Siameses, Lynx
    Point, Seal Point; Colourpoint Shorthair, Colorpoint Shorthair, Colourpoint, Colorpoint; Balinese, Balinais,
    Balinés, Javanese, Oriental Longhair; Birman, Sacré de Birmanie, Sagrado de Birmania, Heilige Birma, Birma,
    Birmanie, Sacred Birman, Birmano, Sacré; Ragdoll, Rag Doll, Ragdol; Neva Masquerade; Himalayan, Himalayen,
    Himalayo, Himmy, Himalaya; Tonkinese, Tonkinois, Tonkinés, Tonkanese; Snowshoe; Burmese, Burmés, Burmakatze,
    Burma, Bumese; Oriental Shorthair, Oriental, Orientale, Orientalisch Kurzhaar, Orientalkatze, Orientalische
    Kurzhaar; Havana Brown, Havana; Peterbald; Mekong Bobtail`,
  british: `
    British Shorthair, British, BSH, Britannique, Británico, Britisch Kurzhaar, BKH, Brite, Britin, Briten, British
    Short; British Longhair, Britisch Langhaar, BLH, Highlander; Chartreux, Kartäuser, Cartujo, Kartäuserkatze,
    Kartaeuser, Certosino; Russian Blue, Bleu russe, Azul ruso, Russisch Blau, Russian; Korat; Nebelung; Scottish
    Straight, Scottish Shorthair; Burmilla`,
  spotted: `
    Bengal, Bengale, Bengalí, Bengalkatze, Bengalkater, Leopard Cat; Ocicat; Egyptian Mau, Mau, Mau égyptien, Mau
    egipcio, Ägyptische Mau; Savannah, Savannahkatze; Toyger; Abyssinian, Abyssin, Abisinio, Abessinier, Aby, Abisino;
    Somali; Singapura; Chausie; Serengeti; Sokoke; Pixie-Bob; Australian Mist; Ceylon`,
  "rex-hairless": `
    Devon Rex, Devon; Cornish Rex, Cornish; Selkirk Rex, Selkirk; Selkirk Rex Longhair; LaPerm, La Perm; German Rex;
    Rex, Rexkatze; Sphynx, Sphinx, Esfinge, Canadian Hairless, Sphinxkatze, Sfinx, Sphynxkatze, Spynx, Shynx; Donskoy,
    Don Sphynx; Peterbald; Lykoi; Hairless, Nacktkatze, Chat nu, Gato sin pelo`,
  fold: `
    Scottish Fold, Fold, Schottische Faltohrkatze, Faltohr, Faltohrkatze, Scottish; Highland Fold; American Curl,
    Curl; Munchkin, Munchkinkatze; Napoleon, Minuet`,
  bobtail: `
    Manx, Manxkatze, Manx Cat; Cymric; American Bobtail, Bobtail, Bob Tail; Japanese Bobtail, Bobtail japonais,
    Bobtail japonés; Kurilian Bobtail, Kuril Bobtail; Mekong Bobtail; Pixie-Bob`,
} as const satisfies Readonly<Record<string, string>>;

export type CatLook = keyof typeof CAT_LOOKS;

/** As `DOG_NEARNESS`: a judgement in tenths. What is not named here is 0. */
export const CAT_NEARNESS: Nearness<CatLook> = {
  shorthair: {
    mediumhair: 0.6,
    longhair: 0.2,
    british: 0.6,
    spotted: 0.5,
    siamese: 0.2,
    bobtail: 0.4,
    fold: 0.3,
    "rex-hairless": 0.1,
  },
  mediumhair: { longhair: 0.7, siamese: 0.2, british: 0.3, bobtail: 0.3, persian: 0.3 },
  longhair: { persian: 0.5, siamese: 0.1 },
  british: { fold: 0.5, siamese: 0.1, persian: 0.2 },
  spotted: { siamese: 0.1 },
};

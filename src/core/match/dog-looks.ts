import type { Size } from "../alert.ts";
import type { Nearness } from "./looks.ts";

/**
 * The look-groups of dogs, each with its usual grown size (null where it holds small and large dogs alike) and its
 * breeds: a semicolon after each breed, its names in English, French, Spanish and German with short forms and common
 * misspellings between commas. Case, accents, the order of words and one wrong letter in a long word do not matter, and
 * a name of several words is found written as one, so such variants are left out. A cross stands in each group it looks
 * like. The file is long because it is a table: a group and its names belong on one page.
 */
export const DOG_LOOKS = {
  labrador: {
    size: "large",
    breeds: `
      Labrador Retriever, Labrador, Lab, Labs, Labi, Labbi, Labby, Labo, Labradorita, Labrador Retriver, Fox Red, Fox
      Red Lab, Fox Red Labrador; Chesapeake Bay Retriever, Chesapeake, Chessie; Curly-Coated Retriever; Retriever,
      Retriver, cobrador; Labany, Golden Lab, Goldador; Pitador, Labrabull; Labsky, Huskador; Sheprador,
      Labrashepherd; Borador; Boxador`,
  },
  "golden-setter": {
    size: "large",
    breeds: `
      Golden Retriever, Golden, Goldie, Goldi, cobrador dorado; Flat-Coated Retriever, Flatcoat, Flatty; Nova Scotia
      Duck Tolling Retriever, Toller, Duck Toller, Nova Scotia Retriever; Retriever, Retriver, cobrador; Golden Lab,
      Goldador; Hovawart, Howavart; Irish Setter, Setter irlandais, Setter irlandés, Irischer Setter, Red Setter,
      Setter rouge; English Setter, Setter anglais, Setter inglés; Gordon Setter, Setter écossais; Irish Red White
      Setter; Setter; Deutsch Langhaar, German Longhaired Pointer, Deutscher Langhaar; Large Munsterlander, Großer
      Münsterländer, Munsterlander, Grand Munsterlander`,
  },
  spaniel: {
    size: "medium",
    breeds: `
      Cocker Spaniel, Cocker, Cockerspaniel, Coker, Cocker Spanial; American Cocker Spaniel, American Cocker, Cocker
      américain, Cocker americano, Amerikanischer Cocker; English Cocker Spaniel, English Cocker, Cocker anglais,
      Cocker inglés, Englischer Cocker; English Springer Spaniel, Springer Spaniel, Springer; Welsh Springer Spaniel,
      Welsh Springer; Cavalier King Charles Spaniel, Cavalier King Charles, Cavalier, King Charles, King Charles
      Spaniel, CKCS, Cav; Brittany Spaniel, Brittany, French Brittany, Épagneul breton, Epagneul, Bretón, Bretonischer
      Spaniel, Breton; Épagneul français, French Spaniel; Épagneul picard, Picardy Spaniel; Épagneul bleu de Picardie,
      Blue Picardy Spaniel; Field Spaniel; Sussex Spaniel; Clumber Spaniel, Clumber; Boykin Spaniel, Boykin; American
      Water Spaniel; Russian Spaniel, Russischer Spaniel; Kooikerhondje, Kooiker; Deutscher Wachtelhund, Wachtelhund,
      German Spaniel; Small Munsterlander, Kleiner Münsterländer, Petit Munsterlander; Drentse Patrijshond, Drentsche
      Patrijshond, Dutch Partridge Dog; Stabyhoun, Stabij; Spaniel, Spanial; Cavachon; Cavapoo, Cavoodle, Cavapoochon;
      Cockapoo, Cockerpoo, Spoodle, Cockerdoodle; Sprollie`,
  },
  pointer: {
    size: "large",
    breeds: `
      Pointer, English Pointer, Pointer anglais, Pointer inglés; German Shorthaired Pointer, German Pointer, GSP, Ger
      Sh Point, Germ Sh Point, Deutsch Kurzhaar, Deutscher Kurzhaar, Braque allemand, Braco alemán, Kurzhaar; Vizsla,
      Magyar Vizsla, Wirehaired Vizsla, Braque hongrois, Braco húngaro, Viszla, Vizla, Wizsla; Weimaraner, Braque de
      Weimar, Braco de Weimar, Weimeraner, Weim; Braque français, French Pointer; Braque d'Auvergne; Braque du
      Bourbonnais; Braque, Braco; Bracco Italiano, Braque italien, Braco italiano; Perdiguero de Burgos, Burgos
      Pointer, Perdiguero; Perdigueiro, Portuguese Pointer, Perdiguero portugués; Dalmatian, Dalmatiner, Dalmatien,
      Dálmata, Dalmation; Pudelpointer; Old Danish Pointer`,
  },
  shepherd: {
    size: "large",
    breeds: `
      German Shepherd, German Shepherd Dog, GSD, Berger allemand, Pastor alemán, Ovejero alemán, Deutscher
      Schäferhund, DSH, Schäferhund, Schäfer, Schäfi, Alsatian, German Shepard, German Sheperd, German Sheppard, Shep;
      King Shepherd, German Shepherd King; Shiloh Shepherd; East European Shepherd, Osteuropäischer Schäferhund;
      Shepherd, Shepard, Sheperd, Sheppard, Berger, Pastor, Ovejero; Altdeutscher Schäferhund, Old German Shepherd;
      Sheepdog, Hütehund; Belgian Malinois, Malinois, Malinoise, Mali, Mechelaar; Belgian Tervuren, Tervuren,
      Tervueren; Groenendael, Belgian Sheepdog, Belgian Shepherd, Berger belge, Pastor belga, Belgischer Schäferhund;
      Laekenois; Dutch Shepherd, Berger hollandais, Pastor holandés, Holländischer Schäferhund, Hollandse Herder,
      Herder; White Swiss Shepherd, White Shepherd, Berger blanc suisse, Berger blanc, Pastor blanco suizo, Weißer
      Schäferhund, Weißer Schweizer Schäferhund; Beauceron, Berger de Beauce, Bas-Rouge; Bohemian Shepherd,
      Chodenhund, Chodsky; Mallorca Shepherd, Ca de Bestiar, Pastor mallorquín; Basque Shepherd, Pastor vasco, Berger
      basque; Pastor garafiano; Kunming Wolfdog; Sheprador, Labrashepherd; Shepsky, Gerberian Shepsky`,
  },
  collie: {
    size: "medium",
    breeds: `
      Border Collie, Border, Bordercolly, Border Colie; Rough Collie, Collie à poil long, Langhaarcollie, Lassie;
      Smooth Collie, Kurzhaarcollie; Collie, Colly, Coley; Shetland Sheepdog, Sheltie, Shelty, Berger des Shetland,
      Pastor de Shetland; Australian Shepherd, Aussie, Aust Shepherd, Berger australien, Pastor australiano, Ovejero
      australiano, Australischer Schäferhund, Australian Shepard, Australian Sheperd, Australien; Miniature Australian
      Shepherd, Mini Aussie, Toy Aussie; Miniature American Shepherd, Berger américain miniature, Mini American
      Shepherd; English Shepherd; American Farm Collie, Scotch Collie, Farm Collie; McNab Herding Dog, McNab, McNab
      Shepherd; Welsh Sheepdog, Welsh Collie; Croatian Sheepdog, Kroatischer Schäferhund; Sheepdog, Hütehund; Augi,
      Auggie; Borador; Bordoodle; Sprollie`,
  },
  "cattle-dog": {
    size: "medium",
    breeds: `
      Australian Cattle Dog, Cattle Dog, ACD, Bouvier australien, Boyero australiano, Australischer Treibhund,
      Cattledog; Blue Heeler, Queensland Heel, American Blue Heeler, Red Heeler, Queensland Heeler, Heeler, Healer,
      Blue Healer; Texas Heeler; Stumpy Tail Cattle Dog; Kelpie, Australian Kelpie, Kelpi; Koolie, Australian Koolie;
      Catahoula Leopard Dog, Catahoula, Louisiana Catahoula, Catahoula Cur, Leopard Dog; Blue Lacy, Lacy`,
  },
  bull: {
    size: "medium",
    breeds: `
      American Pit Bull Terrier, Pit Bull, Pit Bull Terrier, Pit, Pitt Bull, Pittie, Pitty, Pibble, APBT, American Pit
      Bull, Pitties, Red Nose, Blue Nose; American Staffordshire Terrier, American Staffordshire, Amstaff, Am Staff,
      American Staff, Amerikanischer Staffordshire; Staffordshire Bull Terrier, Staffordshire, Staffordshire Terrier,
      Staffie, Staffy, Staff, Stafford, Staffi, Staffies, SBT, English Staffordshire Terrier, Staffordshire
      Bullterrier, Staffordshire Bull; Bull Terrier, Bull Terr, Bull Ter, Miniature Bull Terrier, English Bull
      Terrier, Bullterrier, Minibullterrier; American Bulldog, Am Bulldog, Amer Bulldog, Bouledogue américain, Bulldog
      americano, Amerikanische Bulldogge, Ambull; American Bully, Bully, XL Bully, Pocket Bully, Exotic Bully,
      American Bully XL, Bully Kutta; Olde English Bulldogge, Old English Bulldog, Continental Bulldog; Alapaha Blue
      Blood Bulldog; Kampfhund, Listenhund, chien d'attaque; Pitador, Labrabull; Pitsky; Bullboxer; Bully Breed, Bull
      Breed`,
  },
  mastiff: {
    size: "large",
    breeds: `
      Boxer, Deutscher Boxer, German Boxer, Boxeur, Boxter; Mastiff, English Mastiff, Mastino, Mastif, Old English
      Mastiff; Bullmastiff, Bull Mastiff; Cane Corso, Cane Corsso, Corso, Italian Mastiff; Dogue de Bordeaux, French
      Mastiff, Dogo de Burdeos, Bordeauxdogge, Bordeaux Dogge, DDB; Neapolitan Mastiff, Mastino Napoletano, Mâtin de
      Naples, Mastín napolitano; Great Dane, Dogue allemand, Deutsche Dogge, Dogge, Gran danés, Dane, Dogo alemán,
      German Mastiff; Presa Canario, Dogo canario, Perro de presa, Dogue des Canaries, Kanarische Dogge; Dogo
      Argentino, Argentine Dogo, Dogue argentin, Dogo; Boerboel, South African Mastiff, Südafrikanischer Boerboel;
      Tosa Inu, Tosa; Fila Brasileiro, Brazilian Mastiff; Alano Español, Alano; Ca de Bou, Majorcan Mastiff;
      Broholmer; Shar-Pei, Chinese Shar-Pei, Sharpei, Shar-Peï, Share Pei, Sharpai; Dogue, Molosse, Molosser, Moloso;
      Bullboxer; Boxador; Boxerdoodle`,
  },
  "flat-face": {
    size: "small",
    breeds: `
      French Bulldog, Frenchie, Frenchy, Bouledogue français, Bouledogue, Bulldog francés, Französische Bulldogge,
      Bully francés, Franz Bulldogge, Frenchbulldog; English Bulldog, Bulldog anglais, Bulldog inglés, Englische
      Bulldogge; Bulldog, Bulldogge, Bouldogue, Bull Dog; Pug, Carlin, Carlino, Mops, Doguillo; Boston Terrier,
      Boston, Bostonterrier; Puggle; Chug; Frug, Frenchie Pug, Retromops; Frenchton`,
  },
  rottweiler: {
    size: "large",
    breeds: `
      Rottweiler, Rottie, Rotti, Rottweiller, Rotweiler, Rotweiller, Rott, Rotty; Doberman Pinscher, Doberman,
      Dobermann, Dobie, Dobi, Doby, Dobermannpinscher; Beauceron, Berger de Beauce, Bas-Rouge; German Pinscher,
      Deutscher Pinscher; Austrian Pinscher, Österreichischer Pinscher; Rottle`,
  },
  hound: {
    size: "medium",
    breeds: `
      Beagle, Beagel, Bigle, Beagles, Biggle; Basset Hound, Basset, Bassett, Bassett Hound; Basset fauve de Bretagne,
      Basset fauve; Basset artésien normand; Bloodhound, Saint-Hubert, Chien de Saint-Hubert, Bluthund, Sabueso de San
      Huberto; Foxhound, American Foxhound, English Foxhound; Harrier; Beagle Harrier; Coonhound, Coon Hound, Tan
      Coonhound, Black Tan Coonhound, American English Coonhound, English Coonhound; Treeing Walker Coonhound, Walker
      Hound, Treeing Walker, Walker Coonhound; Bluetick Coonhound, Bluetick; Redbone Coonhound, Redbone; Redtick
      Coonhound, Redtick; Plott Hound, Plott; Black Mouth Cur, Blackmouth Cur, BMC, Cur; Mountain Cur; Treeing Cur,
      Treeing Brindle, Tennessee Treeing Brindle; Rhodesian Ridgeback, Ridgeback, Chien de Rhodésie; Bavarian Mountain
      Hound, Bayerischer Gebirgsschweißhund, Rouge de Bavière, Gebirgsschweißhund, BGS; Hannoverscher Schweißhund,
      Hanover Hound, Rouge du Hanovre, Schweißhund; Bracke, Deutsche Bracke, Brandlbracke, Tiroler Bracke, Steirische
      Bracke; Dachsbracke, Westfälische Dachsbracke, Drever, Alpenländische Dachsbracke; Segugio Italiano, Segugio;
      Sabueso Español, Sabueso; Porcelaine; Anglo-Français; Poitevin; Bleu de Gascogne, Gascon saintongeois;
      Ariégeois; Schweizer Laufhund, Bruno du Jura, Swiss Hound, Laufhund; Hamilton Hound, Hamiltonstövare; Dunker;
      Serbian Hound; Polish Hound, Ogar Polski; Slovensky Kopov, Slovakian Hound; Hound, Scent Hound, Jagdhund, chien
      de chasse, perro de caza, chien courant; Puggle; Beagador; Beaglier`,
  },
  sighthound: {
    size: null,
    breeds: `
      Greyhound, Grayhound, Galgo inglés, Lévrier anglais; Galgo Español, Galgo, Spanish Greyhound, Lévrier espagnol;
      Whippet, Wippet, Whippit; Italian Greyhound, Iggy, Petit lévrier italien, Lévrier italien, Galgo italiano,
      Galguito, Italienisches Windspiel, Windspiel; Borzoi, Barsoi, Russian Wolfhound, Lévrier russe, Barzoï; Afghan
      Hound, Afghan, Lévrier afghan, Galgo afgano, Afghane, Afghanischer Windhund; Saluki, Lévrier persan; Sloughi;
      Azawakh; Ibizan Hound, Podenco Ibicenco, Podenco; Pharaoh Hound, Chien du pharaon, Pharaonenhund; Podenco
      Canario; Podenco Andaluz; Podengo, Podengo Português, Podenco portugués; Maneto, Podenco maneto; Cirneco,
      Cirneco dell'Etna; Scottish Deerhound, Deerhound, Schottischer Hirschhund; Irish Wolfhound, Wolfhound, Irischer
      Wolfshund, Lévrier irlandais; Lurcher, Longdog; Silken Windhound, Silken Windsprite; Magyar Agar, Ungarischer
      Windhund; Chart Polski, Polish Greyhound; Sighthound, Lévrier, Windhund, Lebrel`,
  },
  husky: {
    size: "large",
    breeds: `
      Siberian Husky, Husky, Huskie, Huskey, Husky sibérien, Husky siberiano, Sibirischer Husky, Sibe, Huski; Alaskan
      Husky; Alaskan Malamute, Malamute, Malamut, Malemute; Alaskan Klee Kai, Klee Kai; Greenland Dog, Grönlandhund;
      Canadian Eskimo Dog; Wolfdog, Chien-loup, Perro lobo, Wolfhund, Wolf, Wolf Dog, Wolf Hybrid; Czechoslovakian
      Wolfdog, Chien-loup tchécoslovaque, Perro lobo checoslovaco, Tschechoslowakischer Wolfhund; Saarloos Wolfdog,
      Saarloos, Saarlooswolfhond; Tamaskan; Northern Inuit; Utonagan; Chinook; Laika, Siberian Laika, Russian Laika;
      Sled dog, chien de traîneau, Schlittenhund; Labsky, Huskador; Pitsky; Shepsky, Gerberian Shepsky; Pomsky;
      Goberian; Alusky; Huskydoodle, Huskypoo`,
  },
  spitz: {
    size: "medium",
    breeds: `
      Shiba Inu, Shiba, Sheba Inu, Chiba Inu; Akita, Akita Inu, American Akita, Akita américain, Akita americano,
      Japanese Akita; Korean Jindo, Jindo; Kai Ken, Kai Inu; Kishu, Kishu Ken; Shikoku, Shikoku Ken; Hokkaido,
      Hokkaido Inu; Finnish Spitz, Finnenspitz, Spitz finlandais; Finnish Lapphund, Lapphund, Lapinkoira; Norwegian
      Elkhound, Elkhound, Elchhund, Chien d'élan; Norwegian Buhund, Buhund; Icelandic Sheepdog, Islandhund, Berger
      islandais, Icelandic; Keeshond, Wolfsspitz, Spitz loup; Eurasier, Eurasian; Samoyed, Samoyède, Samoyedo,
      Samojede, Sammy; American Eskimo, American Eskimo Dog, Eskie, Eskimo; Chow Chow, Chow; Canaan, Canaan Dog,
      Kanaanhund; Carolina Dog, American Dingo, Dingo; Basenji, Besenji; Thai Ridgeback; Karelian Bear Dog,
      Karelischer Bärenhund; New Guinea Singing Dog; Formosan Mountain Dog, Taiwan Dog; Mittelspitz, Grossspitz,
      Deutscher Spitz, German Spitz, Spitz allemand, Spitz alemán, Spitz`,
  },
  "toy-spitz": {
    size: "small",
    breeds: `
      Pomeranian, Pom, Pomeranio, Pomerania, Loulou de Poméranie, Loulou, Spitz nain, Zwergspitz, Lulú de Pomerania,
      Lulú, Pommeranian, Pomeranean, Pomeranien, Pommie; Kleinspitz, Petit Spitz, Spitz japonais nain; Japanese Spitz,
      Japanspitz, Spitz japonais, Spitz japonés; Volpino Italiano, Volpino; Schipperke, Skipperke, Schiperke;
      Papillon, Phalène, Continental Toy Spaniel, Épagneul nain continental, Papillion, Schmetterlingshündchen;
      Long-haired Chihuahua, Long Coat Chihuahua, Chihuahua à poil long, Chihuahua de pelo largo, Langhaarchihuahua,
      Longhair Chihuahua, Chihuahua Langhaar; Pomchi; Pomsky; Pomapoo, Pomapom`,
  },
  chihuahua: {
    size: "small",
    breeds: `
      Chihuahua, Chi, Chihuahueño, Chiuaua, Chiwawa, Chihuhua, Chihuhuahua, Chiuahua, Chihuaua, Chihua, Chiguagua,
      Chiwuawua, Shiwawa, Chichi; Long-haired Chihuahua, Long Coat Chihuahua, Chihuahua à poil long, Chihuahua de pelo
      largo, Langhaarchihuahua, Longhair Chihuahua, Chihuahua Langhaar; Smooth-Coated Chihuahua, Short Coat Chihuahua,
      Short-haired Chihuahua, Kurzhaarchihuahua, Chihuahua Kurzhaar; Miniature Pinscher, Min Pin, Mini Pinscher,
      Zwergpinscher, Pinscher nain, Pinscher miniatura, Pinscher, Pincher, Pinsher, Rehpinscher, Minpin, Rehpincher;
      Prague Ratter, Prager Rattler, Ratier de Prague, Ratonero de Praga, Pražský krysařík, Ratlik; Russian Toy,
      Russkiy Toy, Russischer Toy, Petit chien russe; English Toy Terrier, Toy Manchester Terrier; Pomchi; Chiweenie;
      Chug; Jackchi, Jack Chi; Chorkie; Chipin`,
  },
  hairless: {
    size: null,
    breeds: `
      Xoloitzcuintli, Xolo, Xoloitzcuintle, Mexican Hairless; Chinese Crested, Powderpuff, Chien chinois à crête,
      Crestado chino, Chinesischer Schopfhund, Schopfhund, Crested; Peruvian Hairless, Perro sin pelo del Perú,
      Peruanischer Nackthund, Viringo, Inca Orchid; American Hairless Terrier; Hairless, Nackthund, chien nu, perro
      sin pelo, perro pelón`,
  },
  "smooth-terrier": {
    size: "small",
    breeds: `
      Jack Russell Terrier, Jack Russell, JRT, Jack Russel, Jack, Jacki, Russell, Jacky Russel, Russel, Jack Russel
      Terrier, Jackrussel; Parson Russell Terrier, Parson Russell, Parson, Parson Jack Russell; Russell Terrier,
      Russel Terrier; Rat Terrier, Rat Terr, Rat Ter, American Rat Terrier, Ratterrier; Smooth Fox Terrier, Fox
      Terrier à poil lisse, Glatthaar Foxterrier; Fox Terrier, Fox, Foxterrier, Foxi; Toy Fox Terrier, Miniature Fox
      Terrier; Danish-Swedish Farmdog, Dänisch-Schwedischer Hofhund; Manchester Terrier, Manchester; Brazilian
      Terrier, Terrier brésilien, Terrier brasileño, Brasilianischer Terrier; Ratonero Bodeguero Andaluz, Ratonero,
      Bodeguero, Ratero, Ratonero valenciano; Jagdterrier, Deutscher Jagdterrier, German Hunt Terrier, German
      Jagdterrier, Jagd Terrier; Patterdale Terrier, Patterdale; Feist, Treeing Feist, Mountain Feist; Tenterfield
      Terrier; Ratier, chien ratier; Jackchi, Jack Chi; Jackapoo`,
  },
  "wire-terrier": {
    size: "small",
    breeds: `
      Terrier, Terier; Cairn Terrier, Cairn; West Highland White Terrier, West Highland Terrier, Westie, Westi, Westy,
      Highland Terrier, West Highland; Scottish Terrier, Scottie, Scotty, Scotch Terrier, Terrier écossais, Terrier
      escocés; Border Terrier, Border Terr, Border Ter; Norfolk Terrier; Norwich Terrier; Wire Fox Terrier, Fox
      Terrier à poil dur, Fox Terrier pelo duro, Drahthaar Foxterrier, Wirehaired Fox Terrier; Fox Terrier, Fox,
      Foxterrier, Foxi; Miniature Schnauzer, Schnauzer nain, Schnauzer miniatura, Zwergschnauzer, Mini Schnauzer,
      Schnauzer mini, Snauzer mini; Schnauzer, Schnautzer, Snauzer, Schnautzer; Lakeland Terrier; Welsh Terrier; Irish
      Terrier, Terrier irlandais, Irischer Terrier; Australian Terrier; Sealyham Terrier, Sealyham; Dandie Dinmont
      Terrier, Dandie Dinmont; Skye Terrier; Glen of Imaal Terrier, Glen of Imaal; Cesky Terrier, Tschechischer
      Terrier; Affenpinscher, Affen Pinscher; Brussels Griffon, Griffon bruxellois, Grifón de Bruselas, Brüsseler
      Griffon, Belgian Griffon, Griffon belge; Petit brabançon, Kleiner Brabanter; Petit Basset Griffon Vendéen, PBGV,
      Griffon vendéen, Grand Basset Griffon Vendéen; Dutch Smoushond; Schnoodle; Snorkie; Rough-Coated Jack Russell,
      Jack Russell à poil dur, Rauhaar Jack Russell, Broken-Coated Jack Russell; Wire-haired Dachshund, Rauhaardackel,
      Teckel à poil dur, Teckel de pelo duro, Rauhaarteckel, Dachshund Wire Haired, Rauhhaardackel, Wirehair Dachshund`,
  },
  shaggy: {
    size: "large",
    breeds: `
      Old English Sheepdog, Bobtail, OES, Antiguo pastor inglés, Bobtail anglais; Bearded Collie, Beardie, Collie
      barbu, Collie barbudo; Briard, Berger de Brie, Pastor de Brie; Berger de Picardie, Berger picard, Picardy
      Shepherd; Pyrenean Shepherd, Pyrenean Sheepdog, Berger des Pyrénées, Labrit, Labri, Pastor de los Pirineos;
      Catalan Sheepdog, Gos d'Atura, Pastor catalán, Berger catalan, Katalanischer Schäferhund; Puli; Komondor;
      Bergamasco, Bergamasque; Schapendoes; Polish Lowland Sheepdog, PON, Berger polonais de plaine, Polski Owczarek
      Nizinny; Portuguese Sheepdog, Cão da Serra de Aires; South Russian Ovcharka, Südrussischer Owtscharka; Tibetan
      Terrier, Terrier tibétain, Terrier tibetano, Tibet Terrier; Soft Coated Wheaten Terrier, Wheaten Terrier,
      Wheaten; Kerry Blue Terrier, Kerry Blue; Airedale Terrier, Airedale; Giant Schnauzer, Schnauzer géant,
      Riesenschnauzer, Schnauzer gigante; Standard Schnauzer, Schnauzer moyen, Mittelschnauzer, Schnauzer estándar;
      Black Russian Terrier, Terrier noir russe, Schwarzer Russischer Terrier; Bouvier des Flandres, Bouvier, Boyero
      de Flandes, Flandrischer Treibhund; German Wirehaired Pointer, Drahthaar, Deutsch Drahthaar, Braco alemán de
      pelo duro, Braque allemand à poil dur, GWP, Wirehaired Pointer; Wirehaired Pointing Griffon, Korthals, Griffon
      Korthals, Pointing Griffon; Griffon, Grifón, Griffon fauve, Griffon nivernais; Spinone Italiano, Spinone,
      Spinone italien; Cesky Fousek; Slovakian Wirehaired Pointer; Otterhound; Scottish Deerhound, Deerhound,
      Schottischer Hirschhund; Irish Wolfhound, Wolfhound, Irischer Wolfshund, Lévrier irlandais; Whoodle;
      Sheepadoodle`,
  },
  poodle: {
    size: null,
    breeds: `
      Poodle, Pudel, Caniche, Poodel, Puddle, Caniches, Pooddle, Pudle; Standard Poodle, Caniche moyen, Grand caniche,
      Königspudel, Großpudel, Caniche royal, Caniche gigante; Miniature Poodle, Mini Poodle, Zwergpudel, Kleinpudel,
      Caniche nain, Caniche enano, Caniche mediano; Toy Poodle, Toypudel, Caniche toy, Teacup Poodle, Poodle Toy,
      French Poodle; Portuguese Water Dog, Chien d'eau portugais, Perro de agua portugués, Portugiesischer Wasserhund,
      PWD; Spanish Water Dog, Chien d'eau espagnol, Perro de agua español, Perro de aguas, Spanischer Wasserhund,
      Turco andaluz, Barbeta; Lagotto Romagnolo, Lagotto, Chien d'eau romagnol, Perro de agua romañol; Irish Water
      Spaniel, Chien d'eau irlandais; Barbet; Wetterhoun; Perro de agua, Chien d'eau, Wasserhund, Water Dog;
      Bedlington Terrier, Bedlington; Pumi; Mudi; Cockapoo, Cockerpoo, Spoodle, Cockerdoodle; Cavapoo, Cavoodle,
      Cavapoochon; Maltipoo, Maltipudel, Maltapoo, Malti-Poo, Moodle, Maltepoo; Schnoodle; Yorkipoo, Yorkiepoo;
      Shihpoo, Shitzpoo, Shih-Poo, Shipoo; Poochon, Bichonpoo, Bichpoo; Pomapoo, Pomapom; Jackapoo; Chipoo, Chi-Poo;
      Lhasapoo; Havapoo; Peekapoo, Pekapoo; Pugapoo; Terripoo`,
  },
  doodle: {
    size: "large",
    breeds: `
      Doodle, Doodles, Dudel; Goldendoodle, Golden Doodle, Goldenpoo, Groodle; Labradoodle, Labrador Doodle,
      Australian Labradoodle, Cobberdog, Labradodle; Bernedoodle, Bernadoodle, Bernepoo, Bernese Doodle; Aussiedoodle,
      Aussiepoo; Sheepadoodle; Bordoodle; Whoodle; Newfypoo, Newfiedoodle; Pyredoodle; Irish Doodle; Boxerdoodle;
      Huskydoodle, Huskypoo; Rottle; Saint Berdoodle, Saintdoodle; Springerdoodle; Weimardoodle; Vizsladoodle;
      Shepadoodle; Cavadoodle; Mini Doodle, Mini Goldendoodle, Mini Bernedoodle, Mini Labradoodle`,
  },
  bichon: {
    size: "small",
    breeds: `
      Bichon Frise, Bichon frisé, Bichon, Bichon à poil frisé, Bishon, Bichon de pelo rizado; Maltese, Maltais, Bichon
      maltais, Bichón maltés, Maltés, Malteser, Malthese, Maltise; Havanese, Bichon havanais, Bichón habanero,
      Havaneser, Havanais, Havenese, Habanero; Coton de Tuléar, Coton, Cotón, Cotton de Tulear; Bolognese, Bichon
      bolonais, Boloñés, Bologneser; Löwchen, Petit chien lion, Little Lion Dog; Bolonka, Bolonka Zwetna; Zuchon,
      Shichon; Maltichon; Cavachon; Poochon, Bichonpoo, Bichpoo; Maltipoo, Maltipudel, Maltapoo, Malti-Poo, Moodle,
      Maltepoo; Malshi, Mal-Shi; Morkie; Havapoo`,
  },
  "toy-longhair": {
    size: "small",
    breeds: `
      Shih Tzu, Shitzu, Shi Tsu, Shih Tsu, Shitsu, Shi Tzu, Shitzu, Shit Zu, Shih-Tzu, Shiatsu, Shidzu, Chitzu; Lhasa
      Apso, Lhasa, Lasa Apso, Lasha Apso, Apso; Pekingese, Pékinois, Pekinés, Pekinese, Peke, Pequinés, Pekenese;
      Yorkshire Terrier, Yorkshire, Yorkie, York, Yorki, Yorky, Yorksire, Yorkshireterrier, Yorkchire; Biewer Terrier,
      Biewer; Silky Terrier, Australian Silky Terrier, Silky; Japanese Chin, Épagneul japonais, Spaniel japonés, Japan
      Chin; Tibetan Spaniel, Épagneul tibétain, Spaniel tibetano, Tibet Spaniel; English Toy Spaniel, King Charles Toy
      Spaniel; Morkie; Malshi, Mal-Shi; Zuchon, Shichon; Shorkie; Chorkie; Snorkie; Yorkipoo, Yorkiepoo; Shihpoo,
      Shitzpoo, Shih-Poo, Shipoo; Lhasapoo; Peekapoo, Pekapoo`,
  },
  dachshund: {
    size: "small",
    breeds: `
      Dachshund, Doxie, Doxy, Dackel, Teckel, Dachsund, Daschund, Daschshund, Dashund, Wiener Dog, Weiner Dog, Weenie,
      Sausage Dog, Perro salchicha, Salchicha, Saucisse, Dotson, Weiner, Tekel; Standard Smooth Dachshund,
      Kurzhaardackel, Teckel à poil ras, Teckel de pelo corto, Smooth Dachshund; Long-haired Dachshund,
      Langhaardackel, Teckel à poil long, Teckel de pelo largo, Longhair Dachshund; Wire-haired Dachshund,
      Rauhaardackel, Teckel à poil dur, Teckel de pelo duro, Rauhaarteckel, Dachshund Wire Haired, Rauhhaardackel,
      Wirehair Dachshund; Miniature Dachshund, Mini Dachshund, Zwergdackel, Teckel nain, Teckel miniatura,
      Kaninchendackel, Zwergteckel; Chiweenie; Dorgi, Dachsi, Dackelcorgi; Doxiepoo; Dorkie`,
  },
  corgi: {
    size: "medium",
    breeds: `
      Welsh Corgi, Corgi, Corgie, Corgy; Pembroke Welsh Corgi, Pembroke Corgi, Pembroke; Cardigan Welsh Corgi,
      Cardigan Corgi, Cardigan; Swedish Vallhund, Västgötaspets, Vallhund; Lancashire Heeler; Dorgi, Dachsi,
      Dackelcorgi; Augi, Auggie`,
  },
  mountain: {
    size: "xlarge",
    breeds: `
      Bernese Mountain Dog, Bernese, Bouvier bernois, Bernois, Boyero de Berna, Berner Sennenhund, Berner, Sennenhund,
      Sennen, BMD, Burnese Mountain Dog; Greater Swiss Mountain Dog, Grand bouvier suisse, Großer Schweizer
      Sennenhund, Swissy; Entlebucher Mountain Dog, Entlebucher, Entlebucher Sennenhund, Bouvier de l'Entlebuch;
      Appenzeller, Appenzeller Sennenhund, Bouvier de l'Appenzell; Mountain Dog; Saint Bernard, St Bernard,
      Saint-Bernard, San Bernardo, Bernhardiner; Newfoundland, Newfie, Terre-Neuve, Terranova, Neufundländer,
      Landseer, Newfy; Great Pyrenees, Pyr, Pyrenees, Patou, Montagne des Pyrénées, Pyrenean Mountain Dog, Perro de
      montaña de los Pirineos, Montaña de los Pirineos, Pyrenäenberghund, Berger de montagne des Pyrénées, Chien de
      montagne des Pyrénées; Leonberger, Leonberg, Leo; Anatolian Shepherd, Anatolian, Anatol Shepherd, Berger
      d'Anatolie, Pastor de Anatolia, Anatolischer Hirtenhund; Kangal, Kangal Shepherd, Berger Kangal; Akbash; Kuvasz,
      Kuvaz, Kuvacs; Maremma, Maremma Sheepdog, Maremmano, Berger de Maremme, Pastor de Maremma; Tibetan Mastiff,
      Dogue du Tibet, Mastín tibetano, Tibetdogge, Do Khyi, Tibet Dogge; Caucasian Shepherd, Berger du Caucase, Pastor
      del Cáucaso, Kaukase, Caucasian Ovcharka, Kaukasischer Owtscharka, Kaukasischer Hirtenhund; Central Asian
      Shepherd, Alabai, Berger d'Asie centrale, Pastor de Asia Central; Spanish Mastiff, Mastín español, Mastín, Mâtin
      espagnol, Spanischer Mastiff, Mastín leonés; Pyrenean Mastiff, Mastín del Pirineo, Mâtin des Pyrénées,
      Pyrenäenmastiff; Estrela Mountain Dog, Serra da Estrela, Berger de l'Estrela; Rafeiro do Alentejo; Tornjak;
      Sarplaninac, Illyrian Shepherd, Sar Planina; Karst Shepherd; Polish Tatra Sheepdog, Tatra Shepherd, Tatrahund;
      Carpathian Shepherd, Mioritic Shepherd, Bucovina Shepherd, Romanian Shepherd, Karpatenhirtenhund; Livestock
      Guardian Dog, LGD, Herdenschutzhund, Hirtenhund, chien de protection; Bernedoodle, Bernadoodle, Bernepoo,
      Bernese Doodle; Newfypoo, Newfiedoodle; Pyredoodle; Saint Berdoodle, Saintdoodle`,
  },
} as const satisfies Readonly<
  Record<string, { readonly size: Exclude<Size, "unknown"> | null; readonly breeds: string }>
>;

export type DogLook = keyof typeof DOG_LOOKS;

/**
 * How near two groups are to an eye that is no expert's, for those that people take for each other. A judgement in
 * tenths, no measurement: what is not named here is 0.
 */
export const DOG_NEARNESS: Nearness<DogLook> = {
  bull: {
    mastiff: 0.6,
    "flat-face": 0.3,
    labrador: 0.4,
    hound: 0.3,
    pointer: 0.3,
    "cattle-dog": 0.2,
  },
  mastiff: { "flat-face": 0.3, rottweiler: 0.3, labrador: 0.2, mountain: 0.2 },
  labrador: { "golden-setter": 0.5, pointer: 0.4, hound: 0.4, shepherd: 0.2, rottweiler: 0.2 },
  "golden-setter": { spaniel: 0.4, mountain: 0.2, collie: 0.2, doodle: 0.2 },
  spaniel: { collie: 0.2, "toy-longhair": 0.2, poodle: 0.2 },
  pointer: { hound: 0.5, sighthound: 0.2, "cattle-dog": 0.2 },
  shepherd: {
    husky: 0.5,
    collie: 0.3,
    rottweiler: 0.3,
    spitz: 0.3,
    "cattle-dog": 0.3,
    mountain: 0.2,
  },
  collie: { "cattle-dog": 0.5, mountain: 0.2, shaggy: 0.2, spitz: 0.2 },
  husky: { spitz: 0.5, collie: 0.2 },
  spitz: { "toy-spitz": 0.5, corgi: 0.2 },
  "cattle-dog": { corgi: 0.2, hound: 0.2 },
  "toy-spitz": { chihuahua: 0.5, "toy-longhair": 0.4, bichon: 0.3 },
  chihuahua: {
    "smooth-terrier": 0.5,
    dachshund: 0.3,
    hairless: 0.3,
    sighthound: 0.1,
    "toy-longhair": 0.2,
  },
  "smooth-terrier": { "wire-terrier": 0.5, dachshund: 0.2, hound: 0.3, "flat-face": 0.1 },
  "wire-terrier": { "toy-longhair": 0.5, bichon: 0.4, poodle: 0.3, shaggy: 0.4, dachshund: 0.2 },
  shaggy: { doodle: 0.6, poodle: 0.4, mountain: 0.2, sighthound: 0.2 },
  poodle: { doodle: 0.7, bichon: 0.6, "toy-longhair": 0.4 },
  bichon: { "toy-longhair": 0.6 },
  dachshund: { hound: 0.3, corgi: 0.3 },
  hound: { sighthound: 0.2 },
  sighthound: { hairless: 0.2 },
  rottweiler: { hound: 0.3 },
};

import { type AnimalKind, kindsOf } from "./kind.ts";

/**
 * Kinds of dogs: licences in Seattle of one breed and with another breed besides (data.seattle.gov, "Seattle Pet
 * Licenses", 32,647 dogs; kinds under about 1% are left out), the words people write, the kinds they are mistaken for,
 * sizes in percent (small, medium, large, very large) and coats. Sizes, coats and similar kinds are ours, from breed
 * standards; the groups of `src/matching/data/dogs.json` were not used for them.
 */
export const DOGS: readonly AnimalKind[] = kindsOf(`
  lab 2227 2580 | Labrador Retriever, Labrador, Lab, Black Lab | pit golden hound | 1 22 74 3 | black 45, yellow 33, chocolate 18, blackwhite 4
  golden 1089 777 | Golden Retriever, Golden | lab spaniel | 1 20 77 2 | golden 80, cream 20
  chihuahua 748 1213 | Chihuahua, Chihuahua Short Coat | minpin rat pom | 96 4 0 0 | fawn 38, blacktan 20, white 10, brownwhite 10, tanwhite 12, black 10
  gsd 517 447 | German Shepherd, GSD, Shepherd | husky malinois rott | 0 15 78 7 | blacktan 68, sable 20, black 10, white 2
  aussie 627 413 | Australian Shepherd, Aussie | collie heeler | 4 68 28 0 | bluemerle 42, redmerle 20, tricolor 28, blackwhite 10
  collie 267 535 | Border Collie, Collie mix | aussie heeler | 1 76 23 0 | blackwhite 72, tricolor 12, brownwhite 10, bluemerle 6
  poodle 676 789 | Poodle, Miniature Poodle, Standard Poodle | doodle bichon schnauzer | 42 36 22 0 | white 25, black 28, apricot 22, chocolate 10, grey 15
  doodle 387 900 | Goldendoodle, Labradoodle, Doodle | poodle | 5 42 52 1 | apricot 40, cream 24, black 20, chocolate 10, blackwhite 6
  pit 478 545 | Pit Bull, Pitbull, American Pit Bull Terrier, Staffordshire | boxer lab bulldog | 1 50 48 1 | grey 14, greywhite 14, brindle 18, fawn 16, brownwhite 14, blackwhite 10, white 7, brindlewhite 7
  shihtzu 331 284 | Shih Tzu | lhasa maltese havanese | 92 8 0 0 | brownwhite 36, blackwhite 26, greywhite 16, goldwhite 22
  heeler 274 322 | Australian Cattle Dog, Blue Heeler, Cattle Dog, Red Heeler | aussie collie | 3 80 17 0 | blueticked 64, redticked 30, tricolor 6
  pug 340 193 | Pug | frenchie boston | 88 12 0 0 | fawnmask 76, black 24
  beagle 261 239 | Beagle | hound jack | 42 56 2 0 | tricolor 76, tanwhite 20, brownwhite 4
  yorkie 269 221 | Yorkshire Terrier, Yorkie | cairn maltese | 98 2 0 0 | bluetan 68, blacktan 32
  schnauzer 280 200 | Schnauzer, Miniature Schnauzer | cairn poodle | 66 28 6 0 | saltpepper 62, black 22, greywhite 16
  havanese 339 114 | Havanese | shihtzu maltese bichon | 92 8 0 0 | white 20, blackwhite 32, cream 24, goldwhite 24
  boxer 228 221 | Boxer | pit bulldog | 0 22 76 2 | fawnmask 54, brindle 34, white 6, brindlewhite 6
  frenchie 327 88 | French Bulldog, Frenchie | boston pug | 82 18 0 0 | fawn 26, brindle 26, grey 22, black 10, cream 16
  pom 208 202 | Pomeranian, Pom | chihuahua shiba | 97 3 0 0 | orange 56, cream 18, black 14, white 12
  husky 282 185 | Siberian Husky, Husky, Malamute | gsd shiba | 0 22 70 8 | greywhite 48, blackwhite 36, redwhite 12, white 4
  maltese 135 239 | Maltese | bichon shihtzu poodle | 97 3 0 0 | white 92, cream 8
  jack 342 249 | Jack Russell Terrier, Jack Russell | rat beagle | 86 14 0 0 | tanwhite 58, blackwhite 16, tricolor 26
  boston 294 72 | Boston Terrier | frenchie pug | 82 18 0 0 | blackwhite 88, brindlewhite 12
  dachshund 474 254 | Dachshund, Wiener Dog, Mini Dachshund | chihuahua basset | 95 5 0 0 | red 44, blacktan 38, chocolatetan 12, bluemerle 6
  spaniel 520 297 | Cocker Spaniel, Spaniel, Cavalier King Charles Spaniel | golden maltese | 46 52 2 0 | golden 30, black 18, chocolate 10, redwhite 28, tricolor 14
  corgi 375 131 | Corgi, Pembroke Welsh Corgi | shiba heeler | 46 54 0 0 | redwhite 64, tricolor 26, fawn 10
  shiba 251 40 | Shiba Inu, Shiba | husky pom corgi | 34 65 1 0 | red 72, blacktan 18, cream 10
  bichon 132 101 | Bichon Frise, Bichon | maltese poodle | 94 6 0 0 | white 96, cream 4
  rat 141 83 | Rat Terrier, Terrier | jack chihuahua minpin | 80 20 0 0 | blackwhite 44, tricolor 36, tanwhite 20
  bernese 187 108 | Bernese Mountain Dog, Great Pyrenees, Newfoundland | golden | 0 1 45 54 | tricolor 56, white 30, black 14
  minpin 108 87 | Miniature Pinscher, Min Pin | chihuahua rat | 92 8 0 0 | red 44, blacktan 56
  hound 280 250 | Hound, Coonhound, German Shorthaired Pointer | lab beagle | 0 38 60 2 | tricolor 30, brownwhite 34, brown 20, blacktan 16
  vizsla 225 35 | Vizsla, Weimaraner | lab hound | 0 30 70 0 | red 62, grey 38
  rott 169 129 | Rottweiler, Doberman | gsd lab | 0 8 74 18 | blacktan 94, red 6
  cairn 321 71 | Cairn Terrier, Westie, West Highland White Terrier | yorkie schnauzer terrier | 92 8 0 0 | white 50, wheaten 26, saltpepper 24
  lhasa 90 59 | Lhasa Apso | shihtzu maltese | 90 10 0 0 | cream 40, goldwhite 34, brownwhite 26
  terrier 284 662 | Terrier, Terrier mix | cairn jack pit | 56 38 6 0 | brown 18, blacktan 22, wheaten 22, white 14, blackwhite 16, brindle 8
  malinois 60 100 | Belgian Malinois, Shepherd | gsd | 0 24 75 1 | fawnmask 82, sable 18
  greyhound 201 40 | Greyhound, Whippet | hound pit | 6 46 48 0 | brindle 26, fawn 24, black 20, grey 14, blackwhite 16
  basset 72 33 | Basset Hound | beagle dachshund | 8 88 4 0 | tricolor 80, tanwhite 20
  bulldog 113 60 | English Bulldog, Bulldog, American Bulldog | boxer pit frenchie | 2 62 36 0 | tanwhite 40, brindlewhite 30, white 22, fawn 8`);

import { type AnimalKind, kindsOf } from "./kind.ts";

/**
 * Coats of cats without a breed: black and white, black, and tabbies lead in the lost and found records of King County,
 * Washington, 2017 (data.kingcounty.gov/d/yaai-7frk, 67 cats with a colour: black and white 17, black 9, orange tabby 4,
 * grey and white 4, ...), smoothed by hand because the sample is small.
 */
const ANY_COAT =
  "blackwhite 17, black 13, browntabby 12, browntabbywhite 6, greytabby 9, greytabbywhite 4, orangetabby 8, orangewhite 4, " +
  "grey 6, greywhite 5, white 3, tortie 4, dilutetortie 1, calico 4, dilutecalico 1, torbie 2, cream 1";

/**
 * Kinds of cats: Seattle licences of one breed and with "mix" or another breed beside (data.seattle.gov, "Seattle Pet
 * Licenses"), as in `dogs.ts`. Nearly all are domestic cats that differ by the length of their coat. The sizes
 * have no source.
 */
export const CATS: readonly AnimalKind[] = kindsOf(`
  dsh 7003 3800 | Domestic Shorthair, DSH, Domestic Short Hair, Shorthair, American Shorthair | dmh | 26 58 15 1 | ${ANY_COAT}
  dmh 1430 680 | Domestic Medium Hair, DMH, Domestic Mediumhair | dsh dlh | 26 58 15 1 | ${ANY_COAT}
  dlh 911 430 | Domestic Longhair, DLH, Domestic Long Hair, Longhair | dmh coon | 26 58 15 1 | ${ANY_COAT}
  siamese 292 350 | Siamese | ragdoll | 26 58 15 1 | sealpoint 70, bluepoint 24, flamepoint 6
  coon 165 103 | Maine Coon | dlh | 26 58 15 1 | browntabby 44, browntabbywhite 14, greytabby 14, orangetabby 14, black 8, tortie 6
  ragdoll 122 37 | Ragdoll | siamese dlh | 26 58 15 1 | sealpoint 60, bluepoint 40
  russian 91 38 | Russian Blue | dsh british | 26 58 15 1 | grey 100
  siberian 119 20 | Siberian, Norwegian Forest Cat | coon dlh | 26 58 15 1 | browntabby 50, greytabby 24, black 12, greywhite 14
  persian 79 41 | Persian, Himalayan | dlh | 26 58 15 1 | white 26, grey 24, cream 26, sealpoint 24
  bengal 45 20 | Bengal | dsh | 26 58 15 1 | spotted 100
  manx 40 12 | Manx | dsh | 26 58 15 1 | ${ANY_COAT}
  british 33 8 | British Shorthair | russian dsh | 26 58 15 1 | grey 80, cream 20`);

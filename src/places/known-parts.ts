/** Towns beside a city to which GeoNames gives the city's code, or which it marks as a quarter, in error. */
export const TOWNS_OF_THEIR_OWN = new Map([
  [5917117, "Carignan"],
  [5970014, "Hampstead, Québec"],
  [6252014, "Sellenbüren"],
  [3124569, "Cornellà de Llobregat"],
  [3122826, "Esplugues de Llobregat"],
  [3117200, "Matadepera"],
  [3110921, "Sant Adrià de Besòs"],
  [3110519, "Sant Joan Despí"],
  [2510744, "Tavernes Blanques"],
  [3105885, "Vilanova del Camí"],
  [2992415, "Montigny-le-Bretonneux"],
  [2973317, "Tassin-la-Demi-Lune"],
  [2657268, "Anstey"],
  [2655664, "Billingham"],
  [6690867, "Ewell"],
  [2646317, "Hythe, Hampshire"],
  [2643064, "Marchwood"],
  [2636341, "Syston"],
  [2635269, "Tynemouth"],
  [1860437, "Kamirenjaku"],
  [4887492, "Chicago Ridge"],
  [5185397, "Coplay"],
  [5116107, "East Williston"],
  [4898349, "Kenilworth, Illinois"],
  [4828862, "Merchantville"],
  [4902559, "Montgomery, Illinois"],
  [4924014, "Munster"],
  [4908242, "Round Lake Heights"],
  [4410585, "Sugar Creek"],
  [4882198, "Windsor Heights"],
]);

/**
 * GeoNames ids of parts of cities that it lists as towns without a common code, far from the centre: of a city, and of its
 * parts.
 */
const PARTS: readonly (readonly [city: number, parts: string])[] = [
  // Johannesburg: Soweto
  [993800, "953781"],
  // London: its outer boroughs
  [
    2643743,
    `
      2633561 2633655 2634234 2634451 2634579 2635042 2635150 2635308 2636147 2636503 2637063 2637490
      2637861 2638976 2639192 2639842 2640275 2640894 2641290 2646517 2647261 2647421 2647425 2647487
      2647550 2647972 2649571 2649937 2649997 2650228 2651621 2652249 2653123 2653229 2655690 2655774
      2656295 6690829 6690866 6693776 7302135
    `,
  ],
  // Los Angeles
  [
    5368361,
    `
      5333913 5336054 5346649 5377985 5392528 5394409 5394814 5395244 5399976 5403767 5405693 5405841
      5410438 8030162 11838960
    `,
  ],
  // New York City: the Bronx, eastern Queens, Staten Island, upper Manhattan
  [
    5128581,
    `
      5095779 5099093 5107394 5108186 5108193 5108677 5108683 5109554 5110201 5110266 5111141 5112277
      5112387 5112735 5115258 5116083 5116225 5116546 5116917 5117549 5118005 5118650 5119059 5119211
      5120824 5121026 5121549 5122280 5122520 5123443 5124078 5124753 5126855 5127536 5127542 5128428
      5128490 5128492 5128566 5129572 5130572 5133271 5133917 5134172 5134395 5134449 5137529 5139287
      5139356 5139568 5140675 5140945 5141342 5141930 5141963 5143056 5143307 5144400 5144658 5145005
      5145034 6640032
    `,
  ],
  // Rome: Ostia
  [3169070, "3174741"],
  // San Diego
  [5391811, "5363943 5373497 5386039 5397196"],
  // Toronto: its former cities
  [6167865, "5950267 6091104 6948711 7870925"],
];

/** City of each of these parts. */
export const CITY_OF_PART: ReadonlyMap<number, number> = new Map(
  PARTS.flatMap(([city, parts]) =>
    parts
      .trim()
      .split(/\s+/)
      .map((id) => [Number(id), city] as const),
  ),
);

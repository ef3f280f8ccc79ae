/** People per km² of a town without end, for statistics that need no gazetteer. */
export const townPeople = () => 3_000;

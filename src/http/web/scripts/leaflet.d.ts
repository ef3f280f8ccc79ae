/** Leaflet as ES modules, so that the bundler leaves out unused parts. It has the types of the whole package. */
declare module "leaflet/dist/leaflet-src.esm.js" {
  export * from "leaflet";
}

/** Leaflet as modules, of which the bundler leaves out what no map uses; its types are those of the whole. */
declare module "leaflet/dist/leaflet-src.esm.js" {
  export * from "leaflet";
}

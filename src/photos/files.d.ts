/** Path of a file: beside the source, or inside the compiled binary. */
declare module "*.wasm" {
  const path: string;
  export default path;
}
declare module "*.ttf" {
  const path: string;
  export default path;
}

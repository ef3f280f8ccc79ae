/** Path of a picture: beside the source, or inside the compiled binary. */
declare module "*.png" {
  const path: string;
  export default path;
}

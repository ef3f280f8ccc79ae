/** Path of the packed places: a file beside the source, or inside the compiled binary. Written by pack.ts. */
declare const path: string;
export default path;

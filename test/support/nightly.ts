/** True in `.ci/nightly`, which also runs what takes too long for every run of the tests. */
export const isNightly = process.env["NIGHTLY"] === "1";

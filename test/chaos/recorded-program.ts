import { beginRecording } from "./recorder.ts";

// `bun --preload test/chaos/recorded-program.ts src/main.ts`: the program with the recorder in it. Everything it is made of is
// loaded first: the bundling of the pages' scripts starts a program of its own.

await import("../../src/commands/all.ts");
beginRecording();

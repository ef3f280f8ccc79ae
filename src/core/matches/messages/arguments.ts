import type { Argument } from "../../../messages/compile.ts";

// Written by `bun run messages` from the JSON files.

export type MessageArguments = {
  "sentence.bare": { opening: Argument };
  "sentence.for": { opening: Argument; reasons: Argument };
  "sentence.against": { opening: Argument; against: Argument };
  "sentence.both": { opening: Argument; reasons: Argument; against: Argument };
  "distance.apart": { km: Argument };
  "distance.centresApart": { km: Argument };
  "distance.inTown": { town: Argument };
  "distance.aroundTown": { town: Argument };
  "time.after": { days: number };
  "time.before": { days: number };
  "coat.same": { coat: Argument };
  "coat.similar": { one: Argument; other: Argument };
  "coat.different": { one: Argument; other: Argument };
  twoColors: { one: Argument; other: Argument };
  patterned: { colors: Argument; pattern: Argument };
  "size.same": { value: Argument };
  "size.different": { one: Argument; other: Argument };
  "age.same": { value: Argument };
  "age.different": { one: Argument; other: Argument };
  notCompared: { fields: Argument };
  "ask.owner": { fields: Argument };
  "ask.finder": { fields: Argument };
  "ask.shelter": { fields: Argument };
  check: { fields: Argument };
};

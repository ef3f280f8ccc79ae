import type { MatchSubject as EngineSubject } from "../../matching/subject.ts";

/** Fields of an alert that matching reads. An `Alert` is one. */
export type MatchSubject = EngineSubject;

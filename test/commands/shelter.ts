import { importTable } from "../../src/commands/import.ts";
import type { Shell } from "./shell.ts";

type ShelterRow = Readonly<Record<string, string>>;

/** The columns of the King County export. */
export const COLUMNS =
  "impound_no,Animal_ID,Data_Source,Record_Type,Current_Location,Animal_Name,animal_type,Age,Animal_Gender,Animal_Breed,Animal_Color,Date,Date_Type,Obfuscated_Address,City,State,Zip,jurisdiction,obfuscated_latitude,obfuscated_longitude,location_for_map,Memo".split(
    ",",
  );

/** Two rows that can be published, with an address that must not be. */
export const LOST_DOG = {
  impound_no: "X1",
  Record_Type: "LOST",
  Current_Location: "LOST",
  Animal_Name: "ROVER",
  animal_type: "Dog",
  Animal_Gender: "Neutered Male",
  Animal_Breed: "Pit Bull / Mix",
  Animal_Color: "Brn Tabby / White",
  Date: "02/13/2017 12:00:00 AM",
  Obfuscated_Address: "4711 SECRET AVE SE",
  City: "KENT",
  State: "WA",
};
export const FOUND_CAT = {
  ...LOST_DOG,
  impound_no: "X2",
  Record_Type: "FOUND",
  Current_Location: "In Public Home",
  Animal_Name: "",
  animal_type: "Cat",
  Age: "7 WEEKS",
  Animal_Gender: "Spayed Female",
  Animal_Breed: "DOMESTIC SHORTHAIR",
  Animal_Color: "Tortie Pt / Unknown",
  City: "",
  obfuscated_latitude: "47.597108",
  obfuscated_longitude: "-122.171348",
  location_for_map: "4711 SECRET AVE SE\nBELLEVUE, WA",
};

/** Whose alerts the tests' tables become. */
export const OWNER = ["--email", "shelter@example.org"];

/** Imports a table of these rows; gives what `run` gives. */
export async function importing(shell: Shell, ...rows: readonly ShelterRow[]) {
  return shell.run(importTable, [await tableOf(shell, ...rows), ...OWNER, "--yes"]);
}

/** Writes a table of these rows into the folder; gives its path. */
export function tableOf(shell: Shell, ...rows: readonly ShelterRow[]): Promise<string> {
  return shell.write("table.csv", csv(rows));
}

/** The text of a table. */
export function csv(rows: readonly ShelterRow[], columns = COLUMNS): string {
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  return [
    columns.join(","),
    ...rows.map((row) => columns.map((column) => quoted(row[column] ?? "")).join(",")),
  ].join("\n");
}

import { describe, expect, test } from "bun:test";
import { dateFormatProblem, parseDate } from "../../src/tables/date-format.ts";

describe("a date", () => {
  test.each([
    ["3.5.2024", "DD.MM.YYYY", "2024-05-03"],
    ["2024-05-03T10:30:00.000Z", "YYYY-MM-DD", "2024-05-03"],
    ["05/03/24 1:20 PM", "MM/DD/YY", "2024-05-03"],
    ["3-May-24", "DD-MMM-YY", "2024-05-03"],
    ["May 3, 2024", "MMM DD, YYYY", "2024-05-03"],
    ["3 août 2024", "DD MMM YYYY", "2024-08-03"],
    ["3 de enero de 2024", "DD de MMM de YYYY", "2024-01-03"],
  ])("%s in the format %s is %s", (text, format, date) => {
    expect(dateFormatProblem(format)).toBeNull();
    expect(parseDate(text, format)).toBe(date);
  });

  test.each([
    ["30.02.2024", "DD.MM.YYYY"],
    ["3 jui 2024", "DD MMM YYYY"],
    ["05/03/2024", "MM/DD/YY"],
    ["200111", "YYYYMMDD"],
  ])("%s in the format %s is none", (text, format) => {
    expect(parseDate(text, format)).toBeNull();
  });

  test("with two digits of the year lies in the last century if it would be after the day", () => {
    expect(parseDate("01/31/18", "MM/DD/YY", "2024-03-01")).toBe("2018-01-31");
    expect(parseDate("01/31/98", "MM/DD/YY", "2024-03-01")).toBe("1998-01-31");
  });
});

test.each(["DD.MM", "dd/mm/yyyy", "MM/DD/YYYY hh:mm", "DD.MM.YYYY DD", "YYYY YY-MM-DD"])(
  "the format %s cannot be read",
  (format) => {
    expect(dateFormatProblem(format)).not.toBeNull();
  },
);

import { about } from "./about.ts";
import { confirm } from "./confirm.ts";
import { faults } from "./faults.ts";
import { home } from "./home.ts";
import { moderation } from "./moderation.ts";
import { manage } from "./manage.ts";
import { publish } from "./publish.ts";
import { shared } from "./shared.ts";

/** Every word of the pages, in German. */
export const de = {
  ...shared,
  ...faults,
  ...home,
  ...confirm,
  ...manage,
  ...moderation,
  ...publish,
  ...about,
};

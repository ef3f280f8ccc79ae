import { about } from "./about.ts";
import { forms } from "./forms.ts";
import { confirm } from "./confirm.ts";
import { erase } from "./erase.ts";
import { faults } from "./faults.ts";
import { home } from "./home.ts";
import { moderation } from "./moderation.ts";
import { manage } from "./manage.ts";
import { poster } from "./poster.ts";
import { publish } from "./publish.ts";
import { shared } from "./shared.ts";

/** All messages in English. */
export const en = {
  ...shared,
  ...faults,
  ...home,
  ...forms,
  ...confirm,
  ...manage,
  ...moderation,
  ...publish,
  ...poster,
  ...about,
  ...erase,
};

import type { Config } from "../../settings/config.ts";
import { type CheckResult, faultFound, ok, warn } from "../../ops/check-result.ts";
import { Fault } from "../../core/fault.ts";
import { isLoopback } from "../../core/ip-address.ts";
import { readOperatorTexts } from "../../settings/operator-files.ts";

/** Checks who is named as responsible for the site, and the operator's own texts. */
export async function checkImprint(config: Config): Promise<CheckResult[]> {
  return [...checkOperator(config), ...(await checkTexts(config))];
}

function checkOperator({ baseUrl, operator }: Config): CheckResult[] {
  if (operator === null)
    return isLoopback(new URL(baseUrl).hostname)
      ? []
      : [
          warn(
            "The imprint and the privacy page name nobody who is responsible for this site",
            "Set OPERATOR_NAME and OPERATOR_CONTACT, and OPERATOR_ADDRESS where the law requires it: most countries require that a public site names who runs it.",
          ),
        ];
  if (operator.contact === null)
    return [
      warn(
        `The imprint names ${operator.name}, but no way to reach them`,
        "Set OPERATOR_CONTACT to an email address or an https:// page.",
      ),
    ];
  return [
    operator.address === null
      ? ok(
          `The imprint names ${operator.name}`,
          "Germany, Austria and Switzerland require a postal address, too: OPERATOR_ADDRESS.",
        )
      : ok(`The imprint names ${operator.name}, with a postal address`),
  ];
}

async function checkTexts({ legalFile }: Config): Promise<CheckResult[]> {
  if (legalFile === null) return [];
  try {
    const pages = new Set((await readOperatorTexts(legalFile)).map(({ page }) => page));
    return [ok(`LEGAL_FILE adds to: ${[...pages].join(", ") || "no page"}`)];
  } catch (error) {
    if (error instanceof Fault) return [faultFound(error)];
    throw error;
  }
}

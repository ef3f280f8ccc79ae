/** @jsxImportSource hono/jsx */
import type { OrganisationView } from "../../../core/organisations/organisation.ts";
import type { PublisherView } from "../../../core/organisations/publisher.ts";
import { local, usePage } from "../layout/layout.tsx";

const NO_BREAK_SPACE = "\u00a0";

/** Address, opening hours, telephone and site of an organisation, as far as it has them. */
export function OrganisationContact({ organisation }: { organisation: OrganisationView }) {
  const { t } = usePage();
  const { address, hours, phone, page } = organisation;
  const text = t.organisation;
  if (address === null && hours === null && phone === null && page === null) return null;
  return (
    <dl class="facts">
      {phone !== null && (
        <div>
          <dt>{text.phone}</dt>
          <dd>
            <a href={`tel:${phone.replace(/[^+\d]/g, "")}`} dir="ltr">
              {phone.replaceAll(" ", NO_BREAK_SPACE)}
            </a>
          </dd>
        </div>
      )}
      {address !== null && <Lines name={text.address} value={address} />}
      {hours !== null && <Lines name={text.hours} value={hours} />}
      {page !== null && (
        <div>
          <dt>{text.site}</dt>
          <dd>
            <a href={page} rel="noopener nofollow">
              {page.replace(/^https?:\/\//, "").replace(/\/$/, "")}
            </a>
          </dd>
        </div>
      )}
    </dl>
  );
}

/** Fact that may have several lines. */
function Lines({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="text" dir="auto">
        {value}
      </dd>
    </div>
  );
}

/** Organisation that published an alert, and how to reach it. */
export function PublishedBy({ organisation }: { organisation: PublisherView }) {
  const { t } = usePage();
  return (
    <section class="published-by" aria-labelledby="organisation">
      <h2 id="organisation" dir="auto">
        {t.organisation.by}{" "}
        <a href={local(organisation.url)}>
          <bdi>{organisation.name}</bdi>
        </a>
      </h2>
      {organisation.animalPage !== null && (
        <p>
          <a href={organisation.animalPage} rel="noopener nofollow ugc">
            {t.organisation.animalPage({ name: organisation.name })}
          </a>
        </p>
      )}
      <OrganisationContact organisation={organisation} />
    </section>
  );
}

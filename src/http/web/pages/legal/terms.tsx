/** @jsxImportSource hono/jsx */
import type { Child } from "hono/jsx";
import { List } from "../../components/text-page.tsx";
import { local, type PageContext } from "../../layout.tsx";

/** Terms of use, which differ with moderation only. */
export function termsBody({ t, links, siteName, isModerated }: PageContext): Child {
  const text = t.terms;
  return (
    <>
      <p class="lead">{text.lead({ site: siteName })}</p>
      <h2 id="service">{text.service}</h2>
      <List of={text.serviceItems} />
      <h2 id="yours">{text.yours}</h2>
      <ul>
        {text.yoursItems.map((item) => (
          <li>{item}</li>
        ))}
        <li>
          {text.yoursEnd} <a href={local(links.requestManageLinks)}>{t.layout.findMine}</a>
        </li>
      </ul>
      <h2 id="forbidden">{text.forbidden}</h2>
      <List of={text.forbiddenItems} />
      <h2 id="money">{text.money}</h2>
      <p>{text.moneyText}</p>
      <h2 id="removal">{text.removal}</h2>
      <p>{isModerated ? text.moderated : text.unmoderated}</p>
      <p>{text.automatic}</p>
      <p>
        {text.appeal} <a href={local(links.imprint)}>{t.layout.imprint}</a>
      </p>
      <h2 id="promise">{text.promise}</h2>
      <List of={text.promiseItems} />
    </>
  );
}

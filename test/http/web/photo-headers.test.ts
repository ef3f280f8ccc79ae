import { expect, test } from "bun:test";
import { without } from "../../chaos/weakened.ts";
import { MODERATED, signIn } from "../../support/moderators.ts";
import { jpeg } from "../../support/picture.ts";
import { createWorld, LOST_CAT, upload } from "../../support/world.ts";

type Create = typeof createWorld;

test("a picture opened by itself is a document that runs and loads nothing, wherever it is shown", async () => {
  const policies = await policiesOfPhotos(createWorld);

  for (const [where, { policy, nosniff }] of Object.entries(policies)) {
    expect([where, directivesOf(policy)]).toEqual([where, ["default-src 'none'", "sandbox"]]);
    expect([where, nosniff]).toEqual([where, "nosniff"]);
  }
});

test("without its headers a picture has no policy of its own", async () => {
  const bare = {
    module: "src/http/web/layout/photo-response.ts",
    name: "sendPhoto",
    instead: "(c, bytes) => c.body(new Uint8Array(bytes))",
  };

  const policies = await without([bare], async (copy) =>
    policiesOfPhotos((await copy.worlds()).createWorld),
  );

  // Its own module's route does not import it.
  for (const where of ["waiting", "moderated"] as const)
    expect(directivesOf(policies[where].policy)).toEqual([]);
});

function directivesOf(policy: string | null): string[] {
  return (policy ?? "")
    .split(";")
    .map((directive) => directive.trim())
    .filter((directive) => directive !== "")
    .sort();
}

/** How a picture is sent while it waits for its owner, once everybody may see it, and to moderators. */
async function policiesOfPhotos(create: Create) {
  const world = await create(MODERATED);
  try {
    const { type, species, color, email } = LOST_CAT;
    const fields = { type, species, color, email, place: "Lyon" };
    const photos = [await jpeg({ width: 32, height: 32 })];
    await world.fetch("/publish", { method: "POST", ...upload(fields, photos) });
    const confirm = await world.linkTo(email, "/confirm/");
    const file = /\/photos\/([0-9a-f]{32}\.webp)/.exec(await world.text(confirm))?.[1] ?? "";
    const headersOf = async (path: string, headers = {}) => {
      const answer = await world.fetch(path, { headers });
      expect([path, answer.status]).toEqual([path, 200]);
      return {
        policy: answer.headers.get("Content-Security-Policy"),
        nosniff: answer.headers.get("X-Content-Type-Options"),
      };
    };
    const waiting = await headersOf(`${confirm}/photos/${file}`);
    await world.post(confirm);
    const session = await signIn(world);
    return {
      waiting,
      shown: await headersOf(`/photos/${file}`),
      small: await headersOf(`/photos/${file.replace(".webp", "-480.webp")}`),
      moderated: await headersOf(`/admin/photos/${file}`, session),
    };
  } finally {
    await world.end();
  }
}

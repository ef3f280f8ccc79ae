import { createPushDevice } from "../support/push-device.ts";
import { DAY, MINUTE } from "../support/time.ts";
import {
  askToEnterInbox,
  MANAGER,
  nameShelter,
  SHELTER,
  signInMember,
  STAFF,
} from "../support/organisations.ts";
import type { World } from "../support/world.ts";
import { createUserActions, HOME, makePhotos } from "./user-actions.ts";

/** Data for all pages in all states, with the private links. */
export type SampleData = Awaited<ReturnType<typeof createSampleData>>;

/** Texts that strangers can write, by field. */
export type Texts = {
  readonly name: string;
  readonly color: string;
  readonly breed: string;
  readonly description: string;
  readonly city: string;
  readonly sender: string;
  readonly message: string;
  readonly label: string;
  readonly note: string;
  readonly report: string;
  readonly place: string;
  readonly file: string;
};

export const PLAIN_TEXTS: Texts = {
  name: "Mimi",
  color: "grey tabby",
  breed: "siamese",
  description: "Shy. She answers to her name and to a rattled tin.\nCall 06 12 34 56 78!",
  city: "Lyon",
  sender: "Ana",
  message: "I saw her in the park behind the school this morning.",
  label: "Home",
  note: "She ran towards the river. Call 06 12 34 56 78!",
  report: "They ask for money in advance.",
  place: "Lyon",
  file: "IMG_1234.jpg",
};

/** One more than the home page lists, so that there are older ones. */
const OTHERS = 21;
/** Alerts that can be removed: one for each language, and one for its picture. */
const SPARES = 5;
/** Too far away to be the same animal as any of the others. */
const ELSEWHERE = { lat: 48.8567, lng: 2.3522 };

/**
 * Creates it all through the real service, which takes three months on the test clock. `emptySite` is the address of another
 * service, which has no alerts.
 */
export async function createSampleData(
  world: World,
  emptySite: string,
  writing: Texts = PLAIN_TEXTS,
) {
  const actions = createUserActions(world, writing);
  const { linkTo, press, publish, askToPublish, askToWrite, askForZone, confirmed } = actions;

  // Three months ago, a month ago, two days ago.
  const aged = await publish("aged@example.org", ELSEWHERE);
  const forgotten = await publish("forgotten@example.org", { type: "found", species: "bird" });
  await world.pass(50 * DAY);
  const expired = await publish("expired@example.org", { type: "found", species: "bird" });
  await world.pass(33 * DAY);
  const reminders = await linkTo(aged.email, "/unsubscribe/");
  const plan = await linkTo(expired.email, "/unsubscribe/");
  const late = await actions.askInForm("late@example.org");
  await world.pass(2 * DAY);

  // Today.
  for (let number = 0; number < OTHERS; number++)
    await publish(`other${number}@example.org`, { species: "dog", ...ELSEWHERE });
  const resolved = await publish("resolved@example.org", { species: "bird" });
  await press(`${resolved.manage}/resolve`);
  const removed = await publish("removed@example.org", { species: "other" });
  await press(`${removed.manage}/remove`);

  const [subscriber, leaver] = ["subscriber@example.org", "leaver@example.org"];
  const zoneStarted = await confirmed(await askForZone(subscriber));
  await confirmed(await askForZone(leaver));
  const lost = await publish("lost@example.org", { size: "small", sex: "female", age: "senior" });
  await actions.hang(lost.manage, await makePhotos(3, writing.file));
  const { photos } = await world.json(`/api/v1/alerts/${lost.code}`);
  const found = await publish("found@example.org", { type: "found", custody: "shelter" });
  await world.pass(MINUTE);
  const device = createPushDevice().subscription;
  const { place, label } = writing;
  await world.post(`${lost.manage}/device`, device);
  await world.post("/subscribe/device", { place, label, radiusKm: "5", ...device });
  const zone = await linkTo(subscriber, "/unsubscribe/");
  const ended = await confirmed(await linkTo(leaver, "/unsubscribe/"));
  const pair = await linkTo(lost.email, "/pair/");
  const matches = await linkTo(lost.email, "/unsubscribe/");
  const other = await publish("other@example.org", { type: "found", custody: "shelter" });
  const endedPair = await confirmed(await linkTo(other.email, "/pair/"));

  const told = await actions.askToTell("passer-by@example.org", lost.sighting);
  await confirmed(told.confirm);

  const writer = "writer@example.org";
  const sent = await confirmed(await askToWrite(writer, lost.contact));
  const ownersSide = await linkTo(lost.email, "/conversation/");
  await press(ownersSide, { message: writing.message });
  const writersSide = await linkTo(writer, "/conversation/");
  await confirmed(await askToWrite("rude@example.org", found.contact));
  const reportedSide = await linkTo(found.email, "/conversation/");
  await press(`${reportedSide}/report`, { reason: "offensive", text: writing.report });
  await press(`${reportedSide}/close`);
  const home = await publish("home@example.org", { species: "bird" });
  await confirmed(await askToWrite("late-writer@example.org", home.contact));
  const endedConversation = await linkTo(home.email, "/conversation/");
  await press(`${home.manage}/resolve`);

  const spares: string[] = [];
  for (let number = 0; number < SPARES; number++)
    spares.push((await publish(`spare${number}@example.org`, ELSEWHERE)).manage);

  const erasing = await actions.askToErase(lost.email);
  const wiped = await publish("wiped@example.org", ELSEWHERE);
  const erased = await confirmed(await actions.askToErase(wiped.email));
  const quit = await publish("quit@example.org", ELSEWHERE);
  const nothingLeft = await actions.askToErase(quit.email);
  await press(`${quit.manage}/remove`);

  const listed = await askForZone("crowded@example.org");
  await askToWrite("crowded@example.org", lost.contact);
  for (const type of ["lost", "found"]) await askToPublish("crowded@example.org", { type });
  const spelling = { lat: "10", lng: "10", radiusKm: "5", email: "Crowded@example.org" };
  await world.post("/subscribe", spelling);

  const disowned = await actions.askInForm("disowned@example.org");
  await press(`${disowned.confirm}/not-me`);
  const allowed = await askToPublish("allowed@example.org");
  await press(`${allowed}/not-me`);

  await actions.report(found.page);
  const hidden = await publish("hidden@example.org", { species: "other", ...ELSEWHERE });
  await actions.report(hidden.page);
  const moderator = await actions.signIn();
  await actions.moderate(moderator.session, hidden.id, "hide");

  const twice = await actions.askInForm("twice@example.org", { species: "bird" });
  await world.pass(2 * MINUTE);
  await press(`${twice.waiting}/again`);
  const withPhotos = await actions.askInForm(
    "waiting@example.org",
    {},
    await makePhotos(2, writing.file),
  );

  await nameShelter(world);
  await nameShelter(world, {
    slug: "second-home",
    name: "Second Home",
    email: "second-home@example.org",
    members: [{ email: MANAGER, role: "staff" }],
  });
  const sheltered = await publish(SHELTER, { type: "found", species: "other", ...ELSEWHERE });
  await confirmed(await askToWrite("asker@example.org", sheltered.contact));
  const member = await signInMember(world, MANAGER);
  const inboxPage = await (await world.fetch("/inbox", { headers: member })).text();

  const list = await (await world.fetch("/?species=dog")).text();
  const olderAlerts = /rel="next" href="([^"]+)"/.exec(list)?.[1]?.replaceAll("&amp;", "&");
  if (olderAlerts === undefined) throw new Error("the home page leads to no older alerts");

  return {
    emptySite,
    /** The second page of the home page's list. */
    olderAlerts,
    /** Position of the alerts. */
    area: { lat: String(HOME.lat), lng: String(HOME.lng) },
    /** Names of pictures that are kept. */
    photos: photos.map(
      (address: string) => /([0-9a-f]{32})\.webp$/.exec(address)?.[1] ?? "",
    ) as readonly string[],
    /** Active, with photos, sightings, matches, messages and everything known about it. */
    lost,
    found,
    /** Its time is over; its owner can still be written to. */
    expired,
    /** Its time is over for so long that nobody knows its owner. */
    forgotten,
    resolved,
    removed,
    /** By a moderator. */
    hidden,
    waiting: {
      fresh: withPhotos.waiting,
      twice: twice.waiting,
      confirmed: told.waiting,
      over: disowned.waiting,
    },
    confirm: {
      publish: withPhotos.confirm,
      publishFound: await askToPublish("waiting-found@example.org", { type: "found" }),
      message: await askToWrite("waiting-writer@example.org", lost.contact),
      zone: await askForZone("waiting-zone@example.org"),
      listed,
      sighting: (await actions.askToTell("waiting-passer-by@example.org", lost.sighting)).confirm,
      published: lost.confirmed,
      sent,
      zoneStarted,
      told: told.confirm,
      expired: late.confirm,
      disowned: disowned.confirm,
      allowed,
    },
    conversation: {
      owner: ownersSide,
      writer: writersSide,
      closed: reportedSide,
      ended: endedConversation,
    },
    pair: { open: pair, ended: endedPair },
    unsubscribe: { zone, reminders, plan, matches, ended },
    /** Address of a device that is told of an alert and an area. */
    device,
    /** Links that erase: one to be pressed, one that was, one with nothing left behind it. */
    erase: { waiting: erasing, done: erased, nothing: nothingLeft },
    admin: {
      session: moderator.session,
      spent: moderator.link,
      entry: await actions.askToSignIn(),
    },
    /** Found by an organisation. */
    sheltered,
    inbox: {
      session: member.Cookie.replace("member=", ""),
      conversation: /\/inbox\/conversations\/[0-9a-f-]+/.exec(inboxPage)?.[0] ?? "",
      entry: await askToEnterInbox(world, STAFF),
    },
    /** The manage link of an alert that nobody else uses: for what can be done once only. Throws when all are given. */
    spareManageLink(): string {
      const link = spares.pop();
      if (link === undefined) throw new Error(`only ${SPARES} alerts are there to be removed`);
      return link;
    },
    writing,
  };
}

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { isNightly } from "./nightly.ts";
import { type Program, scratchFolder, type Served, serve } from "./process.ts";
import { readQr } from "./qr.ts";
import { openSmtpSink, type ReceivedEmail } from "./mail.ts";
import { form, linkIn } from "./world.ts";

/** An emulated processor is slow to start the program. */
const PROGRAM_MS = 60_000;

/** The main loop on the real parts: the program as a process, a mail server, the SDK's own client over HTTP. */
export function describeMainLoop(name: string, program: Program): void {
  describe(`the main loop of ${name}`, () => {
    const folder = scratchFolder();
    const mailbox = createMailbox();
    let mail: Awaited<ReturnType<typeof openSmtpSink>>;
    let served: Served;

    beforeAll(async () => {
      mail = await openSmtpSink(mailbox.deliver);
      served = await serve(folder.path, { SMTP_URL: mail.url }, program);
    }, PROGRAM_MS);

    afterAll(async () => {
      expect(await served.stop()).toBe(0);
      expect(served.errors()).toBe("");
      await mail.close();
      folder.forget();
    }, PROGRAM_MS);

    test(
      "an assistant's call becomes a live alert, and its owner hears from a finder",
      async () => {
        const assistant = await served.mcpClient();
        const call = async (name: string, args: Record<string, unknown>) => {
          const result = await assistant.callTool({ name, arguments: args });
          expect(result.isError).toBeUndefined();
          return result.structuredContent as any;
        };
        const press = async (
          email: ReceivedEmail,
          part: string,
          fields: Record<string, string> = {},
        ) => {
          const answer = await served.fetch(linkIn(email, part), {
            method: "POST",
            ...form(fields),
          });
          expect(answer.status).toBeLessThan(400);
        };

        const expectNews = async (url: string) => {
          const news = await mailbox.next("neighbour@example.org");
          expect(news.text).toContain(url);
          const header = (name: string) =>
            news.headers.find(({ key }) => key === name)?.value ?? "";
          expect(header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
          const oneClick = header("list-unsubscribe").replace(/^<|>$/g, "");
          expect(
            (
              await served.fetch(oneClick, {
                method: "POST",
                ...form({ "List-Unsubscribe": "One-Click" }),
              })
            ).status,
          ).toBe(200);
        };

        // A neighbour subscribes; an owner publishes through an assistant.
        await call("subscribe_zone", {
          lat: 45.77,
          lng: 4.83,
          radius_km: 5,
          email: "neighbour@example.org",
          language: "fr",
        });
        await press(await mailbox.next("neighbour@example.org"), "/confirm/");
        const asked = await call("publish_alert", {
          type: "lost",
          species: "cat",
          color: "grey",
          name: "Mimi",
          lat: 45.774,
          lng: 4.832,
          email: "owner@example.org",
        });
        expect((await call("search_alerts", { lat: 45.77, lng: 4.83 })).alerts).toEqual([]);

        // The email, the page, the button.
        const email = await mailbox.next("owner@example.org");
        expect(await (await served.fetch(linkIn(email, "/confirm/"))).text()).toContain("Mimi");
        await press(email, "/confirm/");
        const live = await mailbox.next("owner@example.org");
        expect(linkIn(live, "/manage/")).toStartWith(served.baseUrl);

        // Found by search; the poster's code leads to the page.
        const { alerts } = await call("search_alerts", {
          lat: 45.77,
          lng: 4.83,
          radius_km: 2,
          species: "cat",
          query: "mimi",
        });
        expect(alerts.map((alert: any) => alert.slug)).toEqual([asked.slug]);
        const { said: short } = await readQr(await served.fetch(asked.qr_url));
        expect(short).toBe(`${served.baseUrl}/a/${asked.short_code}`);
        expect((await served.fetch(`/a/${asked.short_code}`)).headers.get("Location")).toBe(
          asked.url,
        );

        // The neighbour is told, in French, once; one click ends it. News is gathered for the better part of a minute.
        if (isNightly) await expectNews(asked.url);

        // A finder writes; the owner answers; both only through the platform.
        await call("send_message", {
          alert: asked.short_code,
          message: "She is in our garden.",
          email: "finder@example.net",
        });
        await press(await mailbox.next("finder@example.net"), "/confirm/");
        const relayed = await mailbox.next("owner@example.org");
        expect(relayed.text).toContain("She is in our garden.");
        expect(JSON.stringify(relayed)).not.toContain("finder@");
        await press(relayed, "/conversation/", { message: "On my way!" });
        const answer = await mailbox.next("finder@example.net");
        expect(answer.text).toContain("On my way!");
        expect(JSON.stringify(answer)).not.toContain("owner@");

        const resolved = await served.fetch(`${linkIn(live, "/manage/")}/resolve`, {
          method: "POST",
          ...form({}),
        });
        expect(resolved.status).toBeLessThan(400);
        expect((await call("get_alert", { alert: asked.id })).alert.status).toBe("resolved");
        await assistant.close();
      },
      4 * PROGRAM_MS,
    );
  });
}

/** Emails as they come in; `next` waits for the next one to an address. */
function createMailbox() {
  const kept = new Map<string, ReceivedEmail[]>();
  const waiting = new Map<string, (email: ReceivedEmail) => void>();
  return {
    deliver(email: ReceivedEmail) {
      const reader = waiting.get(email.to);
      waiting.delete(email.to);
      if (reader) reader(email);
      else kept.set(email.to, [...(kept.get(email.to) ?? []), email]);
    },
    next(to: string): Promise<ReceivedEmail> {
      const email = kept.get(to)?.shift();
      return email ? Promise.resolve(email) : new Promise((resolve) => waiting.set(to, resolve));
    },
  };
}

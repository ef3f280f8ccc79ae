/** Pages behind the links of confirmation emails. */
export const confirm = {
  confirm: {
    publish: {
      title: "Check your alert",
      lead: "Nothing is public yet. Check it, then publish it with the button below.",
      preview: "Preview",
      edit: "Edit it first",
      remote: (town: string, km: number) =>
        `The pin is ${km} km from the nearest town, ${town}, perhaps in the sea. If that is wrong, move it under “Edit it first”.`,
      farFromCity: (city: string, town: string, km: number) =>
        `The alert names ${city}, but its pin is ${km} km from there, near ${town}. If the pin is wrong, move it under “Edit it first”.`,
      nameHint: "Leave blank if you don’t know.",
      button: "Publish this alert",
      doneTitle: "Your alert is live",
      doneText: "Everyone can see it now.",
      endedTitle: "Your alert was published",
      goneTitle: "Your alert has been removed",
      gone: "It was published when you confirmed it, but it has been removed since.",
      see: "See the alert",
      manage: "Manage your alert",
      manageText:
        "Mark the animal as home again, renew the alert or remove it. Keep this link private: anyone who has it can do the same. It is also in your email.",
      manageByEmail:
        "The private link for managing the alert is in the email “Your alert is live”. This page shows it only during the first hour after you confirm.",
    },
    message: {
      title: "Check your message",
      lead: {
        owner: "It goes to the owner of this pet:",
        finder: "It goes to the finder:",
        shelter: "It goes to the shelter:",
      },
      from: (name: string) => `From ${name}`,
      unnamed: "No name given",
      hidden: "Your address is not shared. We forward replies to you by email.",
      button: "Send this message",
      doneTitle: "Your message is on its way",
      doneText: "We’ll email you any reply.",
      see: "Back to the alert",
    },
    zone: {
      title: "Alerts for this area",
      lead: "We’ll email you when a new alert appears here:",
      where: "Where",
      button: "Send me these emails",
      full: "You already get alerts for as many areas as one address can have. Stop one of these first, then come back to this page and confirm:",
      doneTitle: "You’re set up",
      doneText: "We’ll email you when a new alert appears in this area.",
      end: "Stop these emails",
      endByEmail: "Every email about this area has an unsubscribe link at the end.",
      goneTitle: "These alerts have stopped",
      gone: "You confirmed this area, and its emails have been stopped since.",
    },
    sighting: {
      title: "Check your sighting",
      lead: {
        told: "It will appear on the page of this alert, and we’ll email it to the owner:",
        untold: "It will appear on the page of this alert:",
      },
      hidden: "Your address is not shared. The place is shown to within about 1 km.",
      button: "Post this sighting",
      doneTitle: "Thank you: your sighting is posted",
      doneText: "It is now on the page of the alert for everyone who is searching.",
    },
    othersTitle: "Also waiting for your confirmation",
    others:
      "These requests were made with your address, by you or by someone else. Nothing happens unless you confirm them.",
    other: {
      publish: (code: string) => `An alert (${code})`,
      message: (code: string) => `A message about alert ${code}`,
      zone: () => "Alerts for an area",
      sighting: (code: string) => `A sighting of the animal in alert ${code}`,
    },
    until: (moment: string) => `This page works until ${moment}.`,
    notMe: "I didn’t request this",
    expiredTitle: "This link has expired",
    expired: "Links in our emails work for 48 hours. Nothing was published or sent.",
    expiredNext: "If you still want it, please send the form again and we’ll email you a new link.",
    disowned: {
      title: "Nothing will happen",
      text: "You told us that this wasn’t you. We have deleted the request.",
    },
  },
  notMe: {
    title: "Not you?",
    text: "Someone entered your address, perhaps by mistake. If you press the button, we delete the request and send you no more confirmation emails.",
    ignore: "You can also do nothing: nothing is published or sent unless you confirm it.",
    button: "It wasn’t me: stop these emails",
    late: "This request has already been confirmed. You can still stop all further confirmation emails.",
    stopped: {
      title: "These emails have stopped",
      text: "We have deleted the request and will send no more confirmation emails to this address.",
    },
    stoppedLate: {
      title: "These emails have stopped",
      text: "We will send no more confirmation emails to this address. Anything already confirmed stays as it is.",
    },
    change: "Want to publish, send a message or get alerts yourself? Then allow our emails again.",
    allow: "Allow these emails again",
    allowedTitle: "You’ll get our emails again",
    allowed: "The deleted request stays deleted. If you want it, please send the form again.",
  },
};

/** Forms that ask for something, and the page that says to look at the mail. */
export const asking = {
  contact: {
    title: {
      owner: "Write to the owner",
      finder: "Write to the finder",
      shelter: "Write to the shelter",
    },
    hidden: {
      owner:
        "The owner gets your name and your message, but not your address. Answers reach you by email through us.",
      finder:
        "The finder gets your name and your message, but not your address. Answers reach you by email through us.",
      shelter:
        "The shelter gets your name and your message, but not your address. Answers reach you by email through us.",
    },
    name: "Your name",
    email: "Your email address",
    emailHint: "We send a link there. Your message goes out when you open it and press the button.",
    message: "Your message",
    messageHint: {
      lost: "When and where did you see it?",
      found:
        "How do you know it is yours? Describe marks, the collar or habits that only its family knows.",
    },
    takenOut: "Phone numbers, addresses and links are taken out.",
    button: "Continue",
    beware: "Never send money in advance, and never pass on a code that someone asks you for.",
    closed: "This animal is home again, so its alert takes no more messages.",
    nobody: "This alert has no owner on this server, so nobody would read a message.",
  },
};

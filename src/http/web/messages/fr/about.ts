import type { about as en } from "../en/about.ts";

const counted = (count: number, one: string, many: string) =>
  `${count} ${count === 0 || count === 1 ? one : many}`;

export const about: typeof en = {
  about: {
    title: "À propos de ce service",
    lead: (site) =>
      `${site} est un répertoire public d’animaux perdus et trouvés. C’est gratuit et sans compte.`,
    contents: "Sur cette page",
    how: "Comment ça marche",
    howItems: [
      "Toute personne qui publie, écrit ou s’abonne reçoit d’abord un e-mail. Rien ne se passe tant qu’elle n’a pas confirmé par le lien.",
      "Les messages passent par nous. Personne ne voit l’adresse de l’autre.",
      "Les numéros de téléphone, les adresses e-mail, les liens, les noms de compte et les coordonnées de paiement sont retirés des textes publics et des messages. Les adresses postales ne le sont pas\u202f: n’indiquez pas la vôtre.",
      "Les alertes d’animaux perdus et trouvés sont comparées. Si deux alertes peuvent parler du même animal, les deux personnes reçoivent un e-mail.",
    ],
    first: "Que faire en premier",
    firstLead:
      "La plupart des animaux perdus sont retrouvés, souvent tout près de chez eux. Ces étapes ont aidé d’autres familles\u202f; commencez par le haut.",
    guides: {
      cat: {
        title: "Votre chat a disparu",
        steps: [
          "Cherchez d’abord dans la maison\u202f: armoires, tiroirs, sous les lits, derrière les machines, à la cave, dans la voiture.",
          "Cherchez ensuite tout près, à fond. Dans une étude sur 1\u202f210 chats disparus, trois sur quatre ont été retrouvés à moins de 500\u00a0m de l’endroit de leur disparition\u202f; sortir et chercher augmentait les chances de retrouver le chat vivant.",
          "Regardez vous-même sous les terrasses, dans les haies, les cabanes et les garages, et demandez aux voisins d’ouvrir les leurs. Un chat effrayé se cache et se tait, même quand sa famille l’appelle.",
          "Sortez quand tout est calme, tard le soir et avant l’aube, avec une lampe\u202f: les yeux brillent. Appelez doucement, puis attendez et écoutez.",
          "Laissez une entrée ouverte si c’est sans danger, et mettez de la nourriture là où le chat est sorti. Restez tout près pour surveiller, ou installez une caméra.",
          "Publiez une alerte ici, imprimez l’affiche et posez-la aux alentours. Parlez-en à tout le voisinage, aux enfants et aux facteurs aussi.",
          "Appelez les vétérinaires, les refuges et la mairie des environs. Si votre chat a une puce, signalez sa disparition au fichier et vérifiez que votre numéro y est juste.",
          "Ne perdez pas espoir. Dans cette étude, un tiers des chats ont été retrouvés vivants en 7 jours, la moitié en 30 jours et 61\u00a0% en un an.",
        ],
      },
      dog: {
        title: "Votre chien a disparu",
        steps: [
          "Restez un moment là où il s’est enfui, ou laissez-y quelqu’un avec un objet qui sent la maison\u202f: beaucoup de chiens reviennent à cet endroit.",
          "Si vous le voyez, ne courez pas après lui. Un chien effrayé fuit même les gens qu’il aime. Asseyez-vous de côté, regardez ailleurs, parlez doucement, gardez de la nourriture à portée de main et laissez-le venir.",
          "Publiez tout de suite une alerte ici et partagez-la. Demandez de ne pas poursuivre le chien, mais de dire où et quand on l’a vu, et dans quelle direction il allait.",
          "Cherchez dans le quartier et interrogez tous ceux que vous croisez. Dans une enquête aux États-Unis, 93\u00a0% des chiens perdus sont rentrés, le plus souvent parce qu’on avait cherché dans le quartier ou parce qu’ils sont revenus seuls, et 14\u00a0% grâce à une médaille sur leur collier.",
          "Appelez la police ou la mairie, les refuges et les vétérinaires, plus loin que vous ne le pensez. Rappelez tous les jours ou tous les deux jours.",
          "Posez des affiches aux carrefours\u202f: grandes, avec peu de mots, lisibles depuis une voiture qui roule.",
          "Si votre chien a une puce, signalez sa disparition au fichier et vérifiez que votre numéro y est juste.",
        ],
      },
      found: {
        title: "Vous avez trouvé un animal",
        steps: [
          "La sécurité d’abord. Ne le poursuivez pas\u202f: un animal effrayé mord ou se jette sur la route. S’il est en danger ou blessé, appelez la police ou un service de secours aux animaux.",
          "Cherchez une médaille. Un chat dehors qui a l’air en forme fait souvent simplement sa tournée\u202f: demandez d’abord aux voisins.",
          "Faites lire sa puce\u202f: les vétérinaires et les refuges ont un lecteur. Le numéro mène au fichier, et le fichier à la famille.",
          "Signalez-le comme la loi de votre pays le demande\u202f: à la mairie, à la police ou à un refuge. Dans bien des pays, c’est une obligation.",
          "Publiez une alerte ici. Gardez un détail pour vous, une tache ou le collier par exemple.",
          "La personne qui réclame l’animal doit connaître ce détail, ou montrer des photos, des papiers du vétérinaire ou l’enregistrement de la puce. Ne payez jamais d’avance et ne transmettez jamais un code.",
        ],
      },
    },
    sources: "Références",
    registries: "Trouver le fichier d’un numéro de puce\u202f:",
    privacy: "Ce que nous gardons, et combien de temps",
    kept: {
      where:
        "Tout se trouve dans un seul dossier, sur le serveur des personnes qui gèrent ce site. Rien n’est transmis à d’autres, sauf les e-mails, qui passent par un serveur de messagerie.",
      position:
        "La position exacte n’est jamais enregistrée. Nous l’arrondissons à environ 1\u00a0km avant de garder quoi que ce soit.",
      photos:
        "Les photos sont réencodées à leur arrivée\u202f: tout ce que l’appareil y a inscrit, le lieu compris, est supprimé.",
      confirm: (hours) =>
        `Un lien de confirmation fonctionne pendant ${hours} heures. Ce que personne n’a confirmé est alors effacé.`,
      life: (dog, cat, other, found) =>
        `Une alerte dure ${dog} jours pour un chien perdu, ${cat} pour un chat perdu, ${other} pour un autre animal perdu et ${found} pour un animal trouvé. Elle peut être prolongée.`,
      ended: (days) =>
        `L’adresse de la personne qui a publié, tous les messages et tous les témoignages sont effacés ${days} jours après la fin de l’alerte. Quand une alerte est supprimée, ils sont effacés aussitôt, avec son texte.`,
      zone: "Les zones dont vous recevez les alertes et votre adresse sont gardées jusqu’à ce que vous arrêtiez les e-mails.",
      chip: "Un numéro de puce n’est jamais montré. Nous n’en gardons qu’une empreinte chiffrée, pour comparer.",
      goesOutside:
        "Votre réponse à la question de savoir si votre chat sort n’est jamais montrée. Elle ne change que les scores que vous voyez, et elle est effacée avec votre adresse.",
      outcome:
        "Si la famille raconte comment l’animal est rentré, nous gardons sa réponse pour des statistiques, à part de l’alerte.",
      confirmed: (days) =>
        `Quand quelque chose est confirmé depuis une adresse, nous gardons une empreinte chiffrée de l’adresse pendant ${days} jours, pour que ses e-mails partent en premier quand des inconnus inondent ce site.`,
      stopped:
        "Si vous nous demandez de ne plus vous écrire, nous ne gardons de votre adresse qu’une empreinte chiffrée, pour respecter cette demande.",
      bounces: (days) =>
        `Si des e-mails à une adresse nous reviennent, ou si l’un d’eux est signalé comme indésirable, nous gardons une empreinte chiffrée de l’adresse, pour ne plus en envoyer. Elle est supprimée dès qu’une demande est confirmée depuis cette adresse, et après ${days} jours si des e-mails nous sont revenus.`,
      erased:
        "Vous pouvez tout faire effacer à tout moment\u202f: nous vous envoyons le lien d’une page qui montre ce que nous avons.",
      backups: (days) =>
        days === 0
          ? "Ce service ne fait pas de copies de sauvegarde de lui-même\u202f; les personnes qui le gèrent peuvent en faire."
          : `Une copie de sauvegarde de tout est faite chaque jour, et les ${days} dernières sont gardées. Les personnes qui gèrent le site peuvent en faire d’autres.`,
      oldCopies: (days) =>
        `Une mise à jour du logiciel, ou une sauvegarde remise en place, laisse une copie de l’état précédent\u202f; elle est supprimée après ${days} jours.`,
      tombstones: (days) =>
        `Nous gardons une empreinte chiffrée des données effacées pendant ${days} jours, pour qu’aucune copie de sauvegarde ne les fasse revenir.`,
      reports: (days, logDays) =>
        `Un signalement est effacé ${days} jours après son examen par la modération, le journal des modérateurs après ${logDays} jours.`,
      letters: (days) =>
        `Les e-mails envoyés sont effacés de notre boîte d’envoi après ${days} jours.`,
      callers: (hours) =>
        `Contre les abus, nous comptons les demandes sous une empreinte chiffrée de l’adresse IP, pendant ${hours} heures.`,
      cookie: (days) =>
        `Un cookie retient la langue que vous avez choisie, pendant ${days} jours. Les modérateurs en ont un autre tant qu’ils sont connectés. Il n’y en a pas d’autres.`,
      tiles: (host) =>
        `Les cartes chargent leurs images depuis ${host}, qui voit votre adresse IP comme tout site. Rien d’autre n’est chargé d’ailleurs.`,
      noTiles: "Rien n’est chargé d’ailleurs.",
    },
    limits: "Limites",
    limitsLead: "Depuis une même adresse IP\u202f:",
    publications: (count) => counted(count, "alerte", "alertes"),
    messages: (count) => counted(count, "message", "messages"),
    subscriptions: (count) => counted(count, "abonnement", "abonnements"),
    reads: (count) => counted(count, "page ou demande", "pages et demandes"),
    anHour: (what) => `${what} par heure`,
    aMinute: (what) => `${what} par minute`,
    unlimited: {
      publications: "autant d’alertes que vous voulez",
      messages: "autant de messages que vous voulez",
      subscriptions: "autant d’abonnements que vous voulez",
      reads: "autant de pages et de demandes que vous voulez",
    },
    perAlert: (toAlert, fromOne) =>
      `Une personne peut envoyer ${fromOne} messages par jour au sujet d’une même alerte. La personne qui l’a publiée en reçoit jusqu’à ${toAlert} par jour un à un\u202f; les suivants sont réunis en un e-mail par heure.`,
    perMailbox: (aDay) =>
      `Une même adresse e-mail reçoit au plus ${aDay} e-mails de confirmation par jour tant que rien n’est confirmé. Les autres demandes figurent dans le suivant.`,
    machines: "Pour les développeurs",
    apiText: "Tout le monde peut lire les alertes en JSON, sans clé\u202f:",
    geojsonText: "En GeoJSON, pour les cartes\u202f:",
    feedText:
      "En flux Atom, pour les lecteurs de flux. Les trois acceptent les mêmes filtres\u202f:",
    assistants: "Pour les assistants IA",
    mcpText:
      "Les assistants IA peuvent chercher, publier et écrire par notre serveur MCP (Model Context Protocol, Streamable HTTP). Il ne demande ni compte ni clé\u202f:",
    mcpPublic: "Un assistant en ligne ne peut l’atteindre qu’à une adresse publique en https.",
    connect: {
      claude: "Paramètres → Connecteurs → Ajouter un connecteur personnalisé. Collez l’adresse.",
      terminal: "Dans un terminal\u202f:",
      chatgpt:
        "Paramètres → Applications → Paramètres avancés\u202f: activez le mode développeur. Créez-y ensuite une application et collez l’adresse\u202f; sans authentification.",
      file: (path) => `Dans le fichier ${path}\u202f:`,
    },
    thanks: "Sources",
    gazetteer: "Les noms et les positions des communes viennent de",
    license: "sous licence CC BY 4.0.",
    maps: (makers) => `Cartes\u202f: ${makers}.`,
  },
};

import type { embed as en } from "../en/embed.ts";

export const embed: typeof en = {
  embed: {
    more: (site) => `Todas las alertas en ${site}`,
    wrong: "Esta lista no se puede mostrar: su dirección tiene un error.",
    title: "Para su propia web",
    text: "Muestre en sus páginas las alertas más recientes cerca de su ciudad. Copie esto y ponga el nombre de su ciudad. La lista no usa cookies ni scripts:",
    filters: "También es posible:",
    docs: "Todas las direcciones, con sus parámetros y ejemplos:",
  },
};

import type { Species } from "../../../values/animal.ts";
/** @jsxImportSource hono/jsx */

const PAW =
  "M12 12.2c-2.6 0-5 2.5-5 4.9 0 1.7 1.2 2.6 2.6 2.6.9 0 1.6-.4 2.4-.4s1.5.4 2.4.4c1.4 0 2.6-.9 2.6-2.6 0-2.4-2.4-4.9-5-4.9ZM5.2 9.1c-1.2 0-2 1.1-2 2.4s.8 2.4 2 2.4 2-1.1 2-2.4-.8-2.4-2-2.4Zm13.6 0c-1.2 0-2 1.1-2 2.4s.8 2.4 2 2.4 2-1.1 2-2.4-.8-2.4-2-2.4ZM9.3 4.3c-1.3 0-2.1 1.3-2.1 2.8s.8 2.8 2.1 2.8 2.1-1.3 2.1-2.8-.8-2.8-2.1-2.8Zm5.4 0c-1.3 0-2.1 1.3-2.1 2.8s.8 2.8 2.1 2.8 2.1-1.3 2.1-2.8-.8-2.8-2.1-2.8Z";

/** SVG paths in a 24 by 24 view box. */
const OUTLINE: Readonly<Record<Species, string>> = {
  cat: "M5 3.6c-.5-.4-1.2-.1-1.2.6L3.6 12.4C3.6 17 7.3 20.4 12 20.4s8.4-3.4 8.4-8l-.2-8.2c0-.7-.7-1-1.2-.6l-4.2 3.3a11 11 0 0 0-5.6 0L5 3.6ZM8.6 11v1.4M15.4 11v1.4M12 15.2l-1.1-1h2.2l-1.1 1Zm0 0c0 1-1 1.7-2 1.5M12 15.2c0 1 1 1.7 2 1.5",
  dog: "M8 5.2C6.4 3.8 4 4.2 3.1 6.4c-.8 2-.9 4.7-.2 6.4.4 1 1.8 1.1 2.3.2l.5-.9M16 5.2c1.6-1.4 4-1 4.9 1.2.8 2 .9 4.7.2 6.4-.4 1-1.8 1.1-2.3.2l-.5-.9M8 5.2c2.500-.8 5.500-.8 8 0 1.700 2 2.300 4.500 2.300 6.900 0 4.600-2.600 8.300-6.300 8.300s-6.300-3.700-6.300-8.300c0-2.400.6-4.900 2.300-6.900ZM9.300 10.600v1M14.700 10.600v1M10.600 14.600h2.800L12 16l-1.400-1.400ZM12 16v1.200",
  bird: "M3.400 9.800 6 8.300C6.200 5.600 8.300 3.600 11 3.600c2.900 0 5 2.200 5 5 0 .7.400 1.400 1 1.800l4 2.600c-1 4.300-4.500 7.400-8.800 7.400-4.400 0-7.200-3.200-7.200-7.300 0-1.300.3-2.300 1-3.100L3.400 9.800ZM9.800 8v.6M20.600 13c-3-.6-5.600-.3-7.600 1.200-1.200.9-2 2-2.400 3.300",
  other: PAW,
};

/** Attributes of decorative icons, with a size for pages whose style does not arrive. */
const ICON = {
  viewBox: "0 0 24 24",
  width: 28,
  height: 28,
  "aria-hidden": "true",
  focusable: "false",
} as const;

/** Icon of a species; decorative. */
export function Animal({ species }: { species: Species }) {
  return (
    <svg class="animal" {...ICON}>
      <path d={OUTLINE[species]} />
    </svg>
  );
}

export function Paw() {
  return (
    <svg class="paw" {...ICON}>
      <path d={PAW} />
    </svg>
  );
}

/** Favicon. */
export const ICON_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="#0f5e63"/><path d="${PAW}" fill="#fff" transform="translate(2.4 2.4) scale(.8)"/></svg>`;

/** @jsxImportSource hono/jsx */
import { local, type PageContext } from "../layout/layout.tsx";

/** Addresses of a photo by its name, which depend on who may see it. */
export type PhotoAddresses = {
  readonly photo: (name: string) => string;
  /** At most 480 px wide and high. */
  readonly thumbnail: (name: string) => string;
};

/** Addresses of the photos that everyone may see. */
export function publicPhotos({ links }: Pick<PageContext, "links">): PhotoAddresses {
  return { photo: links.photo, thumbnail: links.thumbnail };
}

/** Addresses of photos that only moderators see. */
export function moderatedPhotos({ links }: Pick<PageContext, "links">): PhotoAddresses {
  return { photo: links.adminPhoto, thumbnail: links.adminThumbnail };
}

/** Addresses of the photos behind a private link. */
export function photosBehind(link: string): PhotoAddresses {
  return {
    photo: (name) => `${link}/photos/${name}.webp`,
    thumbnail: (name) => `${link}/photos/${name}-480.webp`,
  };
}

/** Photos of a sighting or a message, each linked to its full size; empty without any. */
export function PhotoStrip(props: {
  photos: readonly string[];
  at: PhotoAddresses;
  /** Description of a photo by its number, from 1. */
  alt: (text: { count: number }) => string;
}) {
  const { photos, at, alt } = props;
  if (photos.length === 0) return null;
  return (
    <ul class="strip">
      {photos.map((name, index) => (
        <li>
          <a class="photo" href={local(at.photo(name))}>
            <img
              src={local(at.thumbnail(name))}
              alt={alt({ count: index + 1 })}
              width="480"
              height="480"
              loading="lazy"
            />
          </a>
        </li>
      ))}
    </ul>
  );
}

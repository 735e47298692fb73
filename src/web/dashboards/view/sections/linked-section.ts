import { useLocation } from '@tanstack/react-router';

/** A section, or one of its repetitions, as the hash of a URL names it: `key`, or `key=value`. */
export type Anchor = string;

export const anchorOf = (key: string, value?: string): Anchor =>
  value === undefined ? encodeURIComponent(key) : `${encodeURIComponent(key)}=${encodeURIComponent(value)}`;

/** Returns the anchor in the URL; empty if there is none. */
export const useLinkedSection = (): Anchor => useLocation({ select: ({ hash }) => hash });

/** Returns the key of the section that an anchor names; undefined if it isn't valid. */
export function linkedKeyOf(anchor: Anchor): string | undefined {
  try {
    return anchor === '' ? undefined : decodeURIComponent(anchor.split('=')[0] ?? '');
  } catch {
    return undefined;
  }
}

/** An entity tag in a header, including its quotes. */
export interface EntityTag {
  readonly tag: string;
  readonly isWeak: boolean;
}

/** Returns the strong tag of a version of a record (RFC 9110, section 8.8.3). */
export const etagOf = ({ version }: { readonly version: number }): string => `"${version}"`;

/** Returns the entity tags of an `If-Match` or `If-None-Match` (RFC 9110, section 13.1); anything else is ignored. */
export function readEntityTags(header: string): EntityTag[] {
  return [...header.matchAll(/(W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g)].map(([, weak, tag = '']) => ({
    tag,
    isWeak: weak !== undefined,
  }));
}

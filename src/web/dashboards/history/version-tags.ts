/** Returns the number of the version that an entity tag names; 0 for one that names none. */
export const versionOf = (etag: string): number => Number(/\d+/.exec(etag)?.[0] ?? 0);

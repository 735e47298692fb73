/** Returns the version number in an entity tag, such as 3 in `"3"`; 0 when there is none. */
export const versionOf = (etag: string): number => Number(/\d+/.exec(etag)?.[0] ?? 0);

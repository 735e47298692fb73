import { AtriumError } from '../base/errors.ts';

/** The versions that an edit may begin with (`If-Match`, RFC 9110, section 13.1.1); `any`: overwrite on purpose. */
export type ExpectedVersion = readonly number[] | 'any';

/** Throws `unknown_version` unless the current version is one of the expected. */
export function requireExpected(expected: ExpectedVersion, version: number): void {
  if (expected === 'any' || expected.includes(version)) return;
  throw new AtriumError(
    'unknown_version',
    `\`If-Match\` does not name the current version, which is "${version}".`,
  );
}

/** Returns the version that an edit began with: the current one if that is expected, or else the newest expected before it. */
export function chooseVersion(expected: ExpectedVersion, current: number): number {
  if (expected === 'any' || expected.includes(current)) return current;
  const version = Math.max(...expected.filter((one) => one < current));
  if (version < 1) throw neverWas(current);
  return version;
}

/** Missing quotes, and a weak tag that a proxy made of an `ETag`, are easily overlooked. */
export const neverWas = (current: number): AtriumError =>
  new AtriumError(
    'unknown_version',
    '`If-Match` does not name a version of the record. Send the `ETag` as you received it, with its quotes and without ' +
      `\`W/\` before them; the current version is "${current}".`,
  );

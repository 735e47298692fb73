import { AtriumError } from '../../base/errors.ts';

/** The versions that an edit may start from (`If-Match`, RFC 9110, section 13.1.1); `any` overwrites every version. */
export type ExpectedVersion = readonly number[] | 'any';

/** Throws `unknown_version` unless the current version is an expected one. */
export function requireExpected(expected: ExpectedVersion, version: number): void {
  if (expected === 'any' || expected.includes(version)) return;
  throw new AtriumError(
    'unknown_version',
    `\`If-Match\` doesn’t name the current version, which is "${version}".`,
  );
}

/** Returns the version that an edit started from: the current one if it is expected, or else the newest expected one before it. */
export function chooseVersion(expected: ExpectedVersion, current: number): number {
  if (expected === 'any' || expected.includes(current)) return current;
  const version = Math.max(...expected.filter((one) => one < current));
  if (version < 1) throw unknownVersion(current);
  return version;
}

/** Missing quotes, and a weak tag that a proxy made of an `ETag`, are easily overlooked. */
export const unknownVersion = (current: number): AtriumError =>
  new AtriumError(
    'unknown_version',
    '`If-Match` doesn’t name a version of the record. Send the `ETag` as you received it, including the quotes and without a ' +
      `leading \`W/\`. The current version is "${current}".`,
  );

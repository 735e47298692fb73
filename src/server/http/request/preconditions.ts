import { AtriumError } from '../../base/errors.ts';
import { readEntityTags } from '../response/entity-tags.ts';

export interface PreconditionHeaders {
  readonly 'if-match'?: string;
}

/**
 * Returns the versions in `If-Match`, or `any` without the header. A weak tag never matches (RFC 9110, section 13.1.1).
 */
export function readExpected({ 'if-match': header = '*' }: PreconditionHeaders): readonly number[] | 'any' {
  if (header.trim() === '*') return 'any';
  return readEntityTags(header).flatMap(({ tag, isWeak }) => {
    const version = /^"([1-9][0-9]{0,9})"$/.exec(tag)?.[1];
    return isWeak || version === undefined ? [] : [Number(version)];
  });
}

/** Like `readExpected`, but requires the header. Throws `precondition_required` (RFC 6585, section 3). */
export function requirePrecondition(headers: PreconditionHeaders): readonly number[] | 'any' {
  if (headers['if-match'] === undefined) {
    throw new AtriumError(
      'precondition_required',
      'Send `If-Match` with the `ETag` of the version that you have changed, or `*` to overwrite on purpose.',
    );
  }
  return readExpected(headers);
}

import { Type, type TSchema } from 'typebox';

/** An identifier that the server assigns: a UUIDv7 (RFC 9562, section 5.7). */
export const Id = Type.String({ description: 'UUIDv7' });

/** A UUID in lower case (RFC 9562, section 4). */
export const uuidPattern = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';

/** RFC 3339 in UTC with milliseconds, such as `2026-11-21T09:00:00.000Z`. */
export const Timestamp = Type.String({ description: 'RFC 3339, UTC, milliseconds' });

/** RFC 3339 as people write it: a date alone (its midnight in UTC), or a time with its offset. */
export const timePattern =
  '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]\\d{2}:\\d{2}))?$';

/** A JSON object kept whole, whatever its members are. */
export const FreeForm = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true });

/** One `@` with something on both sides; the server checks the rest, and keeps it in lower case. */
export const Email = Type.String({
  pattern: '^\\s*[^\\s@]+@[^\\s@]+\\s*$',
  'x-words': 'an email address',
  maxLength: 320,
  description: 'An email address',
});

/**
 * A password as chosen: at least 12 characters; at most 1,024, so that hashing it stays cheap. The server also refuses
 * common ones, and those based on the email address.
 */
export const newPasswordLength = { minLength: 12, maxLength: 1024 } as const;
export const NewPassword = Type.String({
  ...newPasswordLength,
  description:
    'Must not be a common password, a short text that is repeated, or based on the email address of the account or the ' +
    'name of the product',
});

/** What ends a line, or turns the text around it over: a name stands amid other words. */
const notInNames = '\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069';
/** Spaces that may be in a name, and zero-width characters. */
const unseen = ' \\u00a0\\u00ad\\u1680\\u2000-\\u200f\\u202f\\u205f\\u2060\\u3000\\ufeff';

/** The name of a person or an organization, on one line, with something to see. */
export const DisplayName = Type.String({
  minLength: 1,
  maxLength: 200,
  // `minLength` refuses the empty text. Each part begins with a character that the part before can't match, so that the
  // pattern never backtracks.
  pattern: `^([${unseen}]*[^${notInNames}${unseen}][^${notInNames}]*)?$`,
  'x-words': 'on one line, with something to see',
});

/** The query of every list: `limit` items from behind `cursor`. */
export const PageQuery = {
  limit: Type.Optional(
    Type.String({
      pattern: '^([1-9][0-9]?|1[0-9]{2}|200)$',
      'x-words': 'a whole number from 1 to 200',
      description: '1 to 200; 50 when left out',
    }),
  ),
  cursor: Type.Optional(Type.String({ description: '`nextCursor` of the page before' })),
};

/** The answer of every list: without `nextCursor` there is nothing more. */
export const page = <Item extends TSchema>(item: Item) =>
  Type.Object({ items: Type.Array(item), nextCursor: Type.Optional(Type.String()) });

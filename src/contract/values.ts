import { Type, type TSchema } from 'typebox';
import { GivenId, maxCursorLength } from './limits.ts';

/** An identifier that the server assigns: a UUIDv7 (RFC 9562, section 5.7). */
export const Id = Type.String({
  format: 'uuid',
  description: 'UUIDv7',
  examples: ['0193f5a2-7c1e-7b3a-9d2f-4e5a6b7c8d9e'],
});

/** The query parameter of a list that shows one folder. */
export const InFolder = Type.Optional(
  Type.String({ ...GivenId, description: 'Only what is in this folder, or `none` for what is in none' }),
);

/** A record that a response names, such as a dashboard that shows a report. */
export const RecordName = Type.Object({ id: Id, name: Type.String() });

/** A lowercase UUID (RFC 9562, section 4). */
export const uuidPattern = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';

/** RFC 3339 in UTC with milliseconds, such as `2026-11-21T09:00:00.000Z`. */
export const Timestamp = Type.String({
  format: 'date-time',
  description: 'RFC 3339, UTC, milliseconds',
  examples: ['2026-11-21T09:00:00.000Z'],
});

/** RFC 3339 as people write it: a date (midnight UTC) or a time with its offset. */
export const timePattern =
  '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]\\d{2}:\\d{2}))?$';

/** A JSON object that is stored as it is, with any properties. */
export const FreeForm = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true });

/** An email address in a response. */
export const EmailAddress = Type.String({ format: 'email', description: 'In lower case' });

/** One `@` with text on both sides; the server validates the rest and stores it in lower case. */
export const Email = Type.String({
  pattern: '^\\s*[^\\s@]+@[^\\s@]+\\s*$',
  'x-expected': 'an email address',
  maxLength: 320,
  description: 'An email address',
});

/**
 * A new password: at least 12 characters, and at most 1,024, which limits the cost of hashing. The server also rejects common
 * passwords, and those based on the email address.
 */
export const newPasswordLength = { minLength: 12, maxLength: 1024 } as const;
export const NewPassword = Type.String({
  ...newPasswordLength,
  description:
    'Must not be a common password, a short repeated text, or based on the email address of the account or the ' +
    'name of the product',
});

/** Line breaks, and characters that change the direction of text: names appear inside other texts. */
const notInNames = '\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069';
/** Spaces and zero-width characters, which are allowed in a name. */
const invisible = ' \\u00a0\\u00ad\\u1680\\u2000-\\u200f\\u202f\\u205f\\u2060\\u3000\\ufeff';

/** The name of a person or an organization: on one line, with at least one visible character. */
export const DisplayName = Type.String({
  minLength: 1,
  maxLength: 200,
  // `minLength` rejects the empty text. Each part starts with a character that the part before can't match, so that the
  // pattern never backtracks.
  pattern: `^([${invisible}]*[^${notInNames}${invisible}][^${notInNames}]*)?$`,
  'x-expected': 'on one line, with at least one visible character',
});

/**
 * A parameter of a URL that is on or off. The document describes what clients send (`x-documented`), while the server
 * validates the text that arrives.
 */
export const booleanParameter = (description: string) =>
  Type.Unsafe<'true' | 'false'>({
    type: 'string',
    enum: ['true', 'false'],
    'x-documented': { type: 'boolean', default: false },
    description,
  });

/** The query parameters of every list: at most `limit` items that follow `cursor`. */
export const PageQuery = {
  limit: Type.Optional(
    Type.String({
      pattern: '^([1-9][0-9]?|1[0-9]{2}|200)$',
      'x-expected': 'a whole number from 1 to 200',
      'x-documented': { type: 'integer', minimum: 1, maximum: 200, default: 50 },
      description:
        'The maximum number of items. A page can have fewer, or none, even if it has a `nextCursor`: it ends early where its items are large.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: maxCursorLength, description: '`nextCursor` of the previous page' }),
  ),
};

/** The response of every list. The last page has no `nextCursor`. */
export const page = <Item extends TSchema>(item: Item) =>
  Type.Object({ items: Type.Array(item), nextCursor: Type.Optional(Type.String()) });

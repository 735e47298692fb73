import { Type } from 'typebox';

/**
 * The longest texts and lists that requests carry, where no schema has a limit of its own. They are far above what people enter, so that
 * what was stored before there were limits can still be saved.
 */

/** As long as a path parameter can be. Ids are much shorter; a longer one is not found, like any unknown id. */
export const maxIdLength = 500;

/** Node refuses the headers of a request that are longer, together with its URL (`maxHeaderSize`). */
export const maxHeaderLength = 16_384;

/** A cursor can contain the name of a dashboard, up to 320 characters of four bytes each. */
export const maxCursorLength = 4_000;

/** How many values a parameter or a filter has, or may have. */
export const maxValueCount = 10_000;
/** How many parameters a request sets, or how many parameters and filters a URL. */
export const maxParameterCount = 1_000;

/** A schema, a table, or a name that is typed again to confirm something. */
export const maxTypedLength = 1_000;

/** An id that a request names. It can be any text, so that an unknown one is not found, rather than invalid. */
export const GivenId = Type.String({ maxLength: maxIdLength });

/** A token of a link. */
export const LinkToken = Type.String({ maxLength: 1_000 });

/**
 * A password, or an email address, that is only compared with what is stored: as long as a body without a session can be, so that a long
 * one is wrong, rather than invalid.
 */
export const TypedPassword = Type.String({ maxLength: 65_536 });
export const TypedEmail = Type.String({ maxLength: 65_536 });

/** A header, or a text in a URL. */
export const HeaderText = Type.String({ maxLength: maxHeaderLength });

/** The other names in a URL: parameters or filters, each with a value or several. */
export const otherNames = {
  additionalProperties: Type.Union([HeaderText, Type.Array(HeaderText, { maxItems: maxValueCount })]),
  maxProperties: maxParameterCount,
} as const;

/**
 * Marks a schema whose texts and lists have no limits but the size of the body: a dashboard that was created with an operation of the
 * published contract, which has none, can be edited, duplicated and imported again.
 */
export const boundedByBody = { 'x-bounded-by': 'body' } as const;

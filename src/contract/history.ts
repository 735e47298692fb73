import { Type, type Static, type TSchema } from 'typebox';
import { Problem } from './problem.ts';
import { Timestamp } from './values.ts';

/** How a version came to be. */
export const versionChanges = ['created', 'saved', 'merged', 'restored', 'transferred', 'imported'] as const;
export type VersionChange = (typeof versionChanges)[number];

/** Of every version, whatever it is a version of. */
export const versionHead = {
  version: Type.Integer({ description: 'From 1 on; the number in the `ETag`' }),
  userId: Type.String({ description: 'Who made it' }),
  userName: Type.String(),
  at: Timestamp,
  change: Type.Enum([...versionChanges]),
  restoredFrom: Type.Optional(Type.Integer({ description: 'The version that was restored' })),
};

export const RecordVersion = Type.Object(versionHead);
export type RecordVersion = Static<typeof RecordVersion>;

export const ContentChange = Type.Object({
  kind: Type.Enum(['added', 'removed', 'changed']),
  pointer: Type.String({
    description: 'JSON Pointer (RFC 6901) into the version `to`; of what was removed, into `from`',
  }),
  words: Type.String({ description: 'What changed, in a sentence' }),
  widgetId: Type.Optional(Type.String()),
  before: Type.Optional(Type.Unknown()),
  after: Type.Optional(Type.Unknown()),
});
export type ContentChange = Static<typeof ContentChange>;

/** What both sides changed since the version that an edit began with. */
export const MergeConflict = Type.Object({
  pointer: Type.String({
    description:
      'JSON Pointer (RFC 6901) into `merged`: a part that both changed, or a widget that one removed and one changed',
  }),
  widgetId: Type.Optional(Type.String({ description: 'The widget it is in' })),
  base: Type.Optional(Type.Unknown({ description: 'As it was before both; absent: it was not there' })),
  mine: Type.Optional(Type.Unknown({ description: 'As the refused edit has it; absent: removed' })),
  theirs: Type.Optional(Type.Unknown({ description: 'As it is stored now; absent: removed' })),
});
export type MergeConflict = Static<typeof MergeConflict>;

/**
 * Returns the problem of an edit that cannot be merged, with everything that a client needs to offer mine, theirs or both:
 * put the choices into `merged`, and send it with `If-Match: <etag>`.
 */
export const editConflict = <Current extends TSchema, Merged extends TSchema>(
  current: Current,
  merged: Merged,
) =>
  Type.Object({
    ...Problem.properties,
    etag: Type.String({ description: 'The version of `current`' }),
    current,
    merged,
    conflicts: Type.Array(MergeConflict),
  });

/** The header of every response with a record. */
export const etagHeader = {
  ETag: 'The version of the record, a strong entity tag (RFC 9110, section 8.8.3)',
};

/** The headers of the response to an edit. */
export const editHeaders = {
  ...etagHeader,
  'Atrium-Merged': '`true` if the response includes what others saved in the meantime',
};

/** For an operation that reads a record. */
export const IfNoneMatch = Type.Object({
  'if-none-match': Type.Optional(
    Type.String({ description: 'Responds with 304 if the record still has this version' }),
  ),
});

/** For an operation that changes a record. */
export const IfMatch = Type.Object({
  'if-match': Type.Optional(
    Type.String({ description: 'The `ETag` of the version that you have seen; `*`: whichever it is' }),
  ),
});

export const VersionNumber = Type.String({
  pattern: '^[1-9][0-9]{0,9}$',
  'x-expected': 'the number of a version',
  description: 'The number of a version',
});

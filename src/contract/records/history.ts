import { Type, type Static, type TSchema } from 'typebox';
import { HeaderText } from '../limits.ts';
import { Problem } from '../problem.ts';
import { Id, Timestamp } from '../values.ts';

/** How a version was created. */
export const versionChanges = ['created', 'saved', 'merged', 'restored', 'transferred', 'imported'] as const;
export type VersionChange = (typeof versionChanges)[number];

/** The fields of every version, of any kind of record. */
export const versionHead = {
  version: Type.Integer({ description: 'Starts at 1; the number in the `ETag`' }),
  userId: Type.String({ ...Id, description: 'The user who created it' }),
  userName: Type.String(),
  at: Timestamp,
  change: Type.Enum([...versionChanges]),
  restoredFrom: Type.Optional(Type.Integer({ description: 'The version that was restored' })),
  proposedBy: Type.Optional(
    Type.String({
      description: 'Who proposed it, if it was accepted: the name of the user or of the program',
    }),
  ),
};

export const RecordVersion = Type.Object(versionHead);
export type RecordVersion = Static<typeof RecordVersion>;

export const ContentChange = Type.Object({
  kind: Type.Enum(['added', 'removed', 'changed']),
  pointer: Type.String({
    description: 'JSON Pointer (RFC 6901) into the version `to`; for removed parts, into `from`',
  }),
  summary: Type.String({ description: 'What changed, in a sentence' }),
  widgetId: Type.Optional(Type.String()),
  before: Type.Optional(Type.Unknown()),
  after: Type.Optional(Type.Unknown()),
});
export type ContentChange = Static<typeof ContentChange>;

/** A part that both sides have changed since the version that an edit is based on. */
export const MergeConflict = Type.Object({
  pointer: Type.String({
    description:
      'JSON Pointer (RFC 6901) into `merged`: a part that both changed, or a widget that one removed and the other changed',
  }),
  widgetId: Type.Optional(Type.String({ description: 'The widget that contains it' })),
  base: Type.Optional(
    Type.Unknown({ description: 'The value before both changes; absent if it did not exist' }),
  ),
  mine: Type.Optional(
    Type.Unknown({ description: 'The value in the rejected edit; absent if it was removed' }),
  ),
  theirs: Type.Optional(Type.Unknown({ description: 'The value stored now; absent if it was removed' })),
});
export type MergeConflict = Static<typeof MergeConflict>;

/**
 * Returns the problem of an edit that can't be merged, with everything that a client needs to let people choose a side: it puts
 * the choices into `merged` and sends that with `If-Match: <etag>`.
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
    Type.String({ ...HeaderText, description: 'Responds with 304 if the record still has this version' }),
  ),
});

/** For an operation that changes a record. */
export const IfMatch = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      ...HeaderText,
      description: 'The `ETag` of the version that your edit is based on; `*` for any version',
    }),
  ),
});

export const VersionNumber = Type.String({
  pattern: '^[1-9][0-9]{0,9}$',
  'x-expected': 'the number of a version',
  'x-documented': { type: 'integer', minimum: 1 },
  description: 'The number of a version',
});

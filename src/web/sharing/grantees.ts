import type { DataSourceAccessInput, RecordAccess } from '#contract/records/sharing.ts';
import type { ShareLevel } from '#shared/permissions.ts';

/** A member, by user ID, or a directory group that a record is shared with. */
export interface Grantee {
  readonly kind: 'user' | 'group';
  readonly id: string;
}

/** Who any kind of record is shared with; only data sources have the level `use`. */
export type Shares = Required<DataSourceAccessInput>;

/** Returns what is stored as input. */
export const toInput = ({ restricted, members, groups }: RecordAccess): Shares => ({
  restricted,
  members: members.map(({ userId, access }) => ({ userId, access })),
  groups: groups.map(({ groupId, access }) => ({ groupId, access })),
});

/** Returns the input with the access of a grantee changed, added, or removed if `level` is undefined. */
export function withGrantee(input: Shares, { kind, id }: Grantee, level: ShareLevel | undefined): Shares {
  const levels = level === undefined ? [] : [level];
  if (kind === 'user') {
    const entries = levels.map((access) => ({ userId: id, access }));
    return { ...input, members: replaced(input.members, ({ userId }) => userId === id, entries) };
  }
  const entries = levels.map((access) => ({ groupId: id, access }));
  return { ...input, groups: replaced(input.groups, ({ groupId }) => groupId === id, entries) };
}

/** Returns the list with other entries in the place of the first that matches, or at the end. */
function replaced<Entry>(
  list: readonly Entry[],
  matches: (entry: Entry) => boolean,
  entries: readonly Entry[],
): Entry[] {
  const at = list.findIndex(matches);
  return list.toSpliced(at < 0 ? list.length : at, 1, ...entries);
}

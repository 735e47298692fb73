import type { RecordAccess, RecordAccessInput } from '#contract/sharing.ts';

/** A member, by user ID, or a directory group that a record is shared with. */
export interface Grantee {
  readonly kind: 'user' | 'group';
  readonly id: string;
}

type Level = RecordAccessInput['members'][number]['access'];

/** Returns the input that stores what is stored now. */
export const toInput = ({ restricted, members, groups }: RecordAccess): Required<RecordAccessInput> => ({
  restricted,
  members: members.map(({ userId, access }) => ({ userId, access: toLevel(access) })),
  groups: groups.map(({ groupId, access }) => ({ groupId, access: toLevel(access) })),
});

export const toLevel = (access: string | null): Level => (access === 'edit' ? 'edit' : 'view');

/** Returns the input with the access of a grantee changed, added, or removed if `level` is undefined. */
export function withGrantee(
  input: Required<RecordAccessInput>,
  { kind, id }: Grantee,
  level: Level | undefined,
): Required<RecordAccessInput> {
  const changed = level === undefined ? [] : [level];
  if (kind === 'user') {
    const at = input.members.findIndex(({ userId }) => userId === id);
    const entries = changed.map((access) => ({ userId: id, access }));
    return { ...input, members: input.members.toSpliced(at < 0 ? input.members.length : at, 1, ...entries) };
  }
  const at = input.groups.findIndex(({ groupId }) => groupId === id);
  const entries = changed.map((access) => ({ groupId: id, access }));
  return { ...input, groups: input.groups.toSpliced(at < 0 ? input.groups.length : at, 1, ...entries) };
}

import { badRequest } from '../protocol/errors.ts';
import type { CheckedFilter } from '../protocol/filter.ts';
import type { Operation } from '../protocol/patch.ts';
import type { Path } from '../protocol/path.ts';
import { isObject } from '../resources/values.ts';

/** More than a body can name. */
const maxMembers = 20_000;

/** How the members of a group change. */
export interface MemberChange {
  /** Whether everyone who is not among `added` is removed. */
  readonly isReplaced: boolean;
  readonly added: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
}

export const noChange: MemberChange = { isReplaced: false, added: new Set(), removed: new Set() };

/** Returns the IDs of a list of members. Throws `invalidValue`. */
export function readMemberIds(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  const list = [value].flat();
  if (list.length > maxMembers)
    throw badRequest('invalidValue', `A request can name up to ${maxMembers} members.`);
  return list.map((entry) => {
    const id = isObject(entry) ? entry['value'] : entry;
    if (typeof id !== 'string' || id === '' || id.length > 100)
      throw badRequest('invalidValue', 'A member must have the ID of a person as its value.');
    return id;
  });
}

/** Returns a change of the members with another operation after it. */
export function withOperation(
  before: MemberChange,
  { filter, subAttribute }: Path,
  { op, value }: Operation,
): MemberChange {
  if (subAttribute !== undefined && op !== 'remove')
    throw badRequest('invalidPath', 'A member can be added and removed, but not changed.');
  if (op === 'remove' || value === null) {
    const ids = filter === undefined ? readMemberIds(value) : idsOf(filter);
    if (filter === undefined && ids.length === 0)
      return { isReplaced: true, added: new Set(), removed: new Set() };
    const removed = new Set(ids);
    return {
      ...before,
      added: before.added.difference(removed),
      removed: before.removed.union(removed),
    };
  }
  if (filter !== undefined) throw badRequest('noTarget', 'Add members without a filter in the path.');
  const added = new Set(readMemberIds(value));
  if (op === 'replace') return { isReplaced: true, added, removed: new Set() };
  return { ...before, added: before.added.union(added), removed: before.removed.difference(added) };
}

/** Returns the IDs in `value eq "…"`, or in several of these with `or`. Throws `invalidPath` for other filters. */
function idsOf(filter: CheckedFilter): string[] {
  if (filter.op === 'or') return filter.filters.flatMap(idsOf);
  if (filter.op === 'eq' && filter.attrPath.toLowerCase() === 'value' && typeof filter.compValue === 'string')
    return [filter.compValue];
  throw badRequest('invalidPath', 'Select members by their value: members[value eq "…"].');
}

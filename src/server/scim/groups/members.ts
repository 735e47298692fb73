import { badRequest, type ScimError } from '../protocol/errors.ts';
import type { CheckedFilter } from '../protocol/filter.ts';
import type { Operation } from '../protocol/patch.ts';
import type { Path } from '../protocol/path.ts';
import { isObject } from '../resources/values.ts';

/** More than a body can name. */
const maxMembers = 20_000;

/** How the members of a group change. */
export interface MemberChange {
  /** Whether everyone who is not among `added` is removed. */
  isReplaced: boolean;
  readonly added: Set<string>;
  readonly removed: Set<string>;
}

export const noChange = (): MemberChange => ({ isReplaced: false, added: new Set(), removed: new Set() });

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

/** Adds an operation to a change of the members. It changes one set, since a request can name thousands in many operations. */
export function addOperation(
  change: MemberChange,
  { filter, subAttribute }: Path,
  { op, value }: Operation,
): void {
  if (subAttribute !== undefined && op !== 'remove')
    throw badRequest('invalidPath', 'A member can be added and removed, but not changed.');
  if (op === 'remove' || value === null) {
    const ids = filter === undefined ? readMemberIds(value) : idsIn(filter, cannotSelect);
    if (filter === undefined && ids.length === 0) return removeAll(change);
    for (const id of ids) {
      change.added.delete(id);
      change.removed.add(id);
    }
    return;
  }
  if (filter !== undefined) throw badRequest('noTarget', 'Add members without a filter in the path.');
  const ids = readMemberIds(value);
  if (op === 'replace') removeAll(change);
  for (const id of ids) {
    change.added.add(id);
    change.removed.delete(id);
  }
}

function removeAll(change: MemberChange): void {
  change.isReplaced = true;
  change.added.clear();
  change.removed.clear();
}

const cannotSelect = () => badRequest('invalidPath', 'Select members by their value: members[value eq "…"].');

/** Returns the IDs in `value eq "…"`, or in several of these with `or`. Throws an error for other filters. */
export function idsIn(filter: CheckedFilter, refusal: () => ScimError): string[] {
  if (filter.op === 'or') return filter.filters.flatMap((part) => idsIn(part, refusal));
  if (filter.op === 'eq' && filter.attrPath.toLowerCase() === 'value' && typeof filter.compValue === 'string')
    return [filter.compValue];
  throw refusal();
}

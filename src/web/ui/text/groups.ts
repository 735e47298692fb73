import { t } from '#shared/language/messages.ts';

/** A group of another directory than the first: the ID of the directory, a colon, and its name there. */
const qualified = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}:(?<group>.+)$/s;

/** Returns the name of a directory group to show. */
export function groupName(groupId: string): string {
  const group = qualified.exec(groupId)?.groups?.['group'];
  return group === undefined ? groupId : t('{group} (in another directory)', { group });
}

import type { FormerPerson, ListedPerson } from '#contract/sso/migration.ts';

/** The people that a text lists, or why a line of it can't be used. */
export type ReadList =
  | { readonly people: readonly ListedPerson[]; readonly fault?: undefined }
  | { readonly people?: undefined; readonly fault: string };

/**
 * Reads a list with a line for each person: the address in Atrium, or the user ID, then the new address or the ID at the new
 * provider. A line without the latter excludes the person.
 */
export function readList(text: string, people: readonly FormerPerson[]): ReadList {
  const listed: ListedPerson[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const [who = '', as = '', ...more] = line.split(/[,;\t]/).map((part) => part.trim());
    const found = people.filter(({ userId, email }) => userId === who || email === who.toLowerCase());
    const [person] = found;
    const fault =
      more.length > 0
        ? 'it has more than two values'
        : person === undefined
          ? `nobody of the former provider has the address ${who}`
          : found.length > 1
            ? `several people have the address ${who}; use one of their IDs: ${found.map(({ userId }) => userId).join(', ')}`
            : listed.some(({ userId }) => userId === person.userId)
              ? `${who} is listed twice`
              : undefined;
    if (fault !== undefined || person === undefined) return { fault: `Line ${index + 1}: ${fault ?? ''}.` };
    listed.push({
      userId: person.userId,
      ...(as.includes('@') ? { email: as } : as !== '' && { subject: as }),
    });
  }
  return { people: listed };
}

/** Returns the text of a list, which `readList` reads. */
export const printList = (listed: readonly ListedPerson[], people: readonly FormerPerson[]): string =>
  listed
    .map(({ userId, email, subject }) => {
      const address = people.find((person) => person.userId === userId)?.email;
      const isUnique = people.filter((person) => person.email === address).length === 1;
      const as = email ?? subject;
      return [isUnique ? address : userId, ...(as === undefined ? [] : [as])].join(',');
    })
    .join('\n');

type Outcome = Pick<FormerPerson, 'state' | 'by' | 'needsPassword' | 'reason' | 'movedAt'>;

/** Returns what will happen to a person once a draft is saved. */
export function outcomeOf(
  person: FormerPerson,
  draft: { readonly byAddress: boolean; readonly people: readonly ListedPerson[] },
): Outcome {
  const { state, needsPassword, reason, addressProblem } = person;
  const isFixed =
    reason === 'not_a_member' || reason === 'in_other_organizations' || reason === 'no_password';
  if (state === 'moved' || isFixed) return person;
  const listed = draft.people.find(({ userId }) => userId === person.userId);
  if (listed?.email !== undefined || listed?.subject !== undefined)
    return { state: 'matched', by: 'list', needsPassword };
  if (listed !== undefined) return { state: 'unmatched', needsPassword, reason: 'excluded' };
  const refusal = draft.byAddress ? addressProblem : 'address_not_used';
  return refusal === undefined
    ? { state: 'matched', by: 'address', needsPassword }
    : { state: 'unmatched', needsPassword, reason: refusal };
}

const reasons: Readonly<Record<NonNullable<FormerPerson['reason']>, string>> = {
  not_a_member: 'not a member',
  excluded: 'excluded',
  in_other_organizations: 'also in another organization',
  no_password: 'no password',
  address_not_used: 'addresses aren’t used',
  address_not_verified: 'address not confirmed',
  domain_not_verified: 'domain not verified',
  address_shared: 'address shared',
};

/** Returns an outcome in words. */
export function outcomeText({ state, by, needsPassword, reason }: Outcome): string {
  if (state === 'moved') return 'Signed in';
  if (state === 'unmatched') return `New account (${reason === undefined ? '' : reasons[reason]})`;
  const how = by === 'list' ? 'from the list' : 'by address';
  return `Keeps the account (${how}${needsPassword ? ', with the password' : ''})`;
}

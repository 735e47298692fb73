import type { FormerPerson, ListedPerson } from '#contract/sso/migration.ts';
import { t } from '#shared/language/messages.ts';

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
        ? t('it has more than two values')
        : person === undefined
          ? t('nobody of the former provider has the address {who}', { who })
          : found.length > 1
            ? t('several people have the address {who}; use one of their IDs: {found}', {
                who,
                found: found.map(({ userId }) => userId).join(', '),
              })
            : listed.some(({ userId }) => userId === person.userId)
              ? t('{who} is listed twice', { who })
              : undefined;
    if (fault !== undefined || person === undefined)
      return { fault: t('Line {number}: {fault}.', { number: index + 1, fault: fault ?? '' }) };
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
  not_a_member: t('not a member'),
  excluded: t('excluded'),
  in_other_organizations: t('also in another organization'),
  no_password: t('no password'),
  address_not_used: t('addresses aren’t used'),
  address_not_verified: t('address not confirmed'),
  domain_not_verified: t('domain not verified'),
  address_shared: t('address shared'),
};

/** Returns an outcome in words. */
export function outcomeText({ state, by, needsPassword, reason }: Outcome): string {
  if (state === 'moved') return t('Signed in');
  if (state === 'unmatched')
    return t('New account ({value})', { value: reason === undefined ? '' : reasons[reason] });
  if (by === 'list')
    return needsPassword
      ? t('Keeps the account (from the list, with the password)')
      : t('Keeps the account (from the list)');
  return needsPassword
    ? t('Keeps the account (by address, with the password)')
    : t('Keeps the account (by address)');
}

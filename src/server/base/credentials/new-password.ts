import type { Fault } from '#contract/problem.ts';
import { newPasswordLength } from '#contract/values.ts';
import { invalidBody } from '../errors.ts';
import { loadCommonPasswords, type CommonPasswords } from './common-passwords.ts';

const { minLength, maxLength } = newPasswordLength;

/** Whether a password has a length that may be chosen, in Unicode characters. `findPasswordFault` checks the rest. */
export function hasPasswordLength(password: string): boolean {
  const { length } = Array.from(password);
  return length >= minLength && length <= maxLength;
}

/**
 * Returns why the person with this email address must not choose this password, or undefined if they may. There is no
 * rule about kinds of characters: apart from its length, a password only must not be one of the first that an attacker
 * tries.
 */
export async function findPasswordFault(
  password: string,
  email: string,
): Promise<Pick<Fault, 'code' | 'message'> | undefined> {
  if (!hasPasswordLength(password)) {
    return { code: 'length', message: 'must have 12 to 1,024 characters' };
  }
  const forms = formsOf(password.toLowerCase());
  const isOnlyRepeated = forms.some((form) => isRepeated(form) && unitOf(form).length < minLength);
  if (isOnlyRepeated) {
    return { code: 'repeated_password', message: 'must not be a short repeated text' };
  }
  if (forms.some(isSequence)) {
    return {
      code: 'common_password',
      message: 'must not be a row of keys or a sequence of letters or digits',
    };
  }
  const common = await loadCommonPasswords();
  const isGuessedBy = (words: readonly string[]) =>
    forms.some((form) => isGuessed(form, new Set(words), common));
  if (isGuessedBy([])) {
    const message =
      'must not be a common password, even with digits or symbols around it; choose several words';
    return { code: 'common_password', message };
  }
  if (isGuessedBy(wordsOfAddress(email))) {
    return { code: 'own_address', message: 'must not be based on the email address of the account' };
  }
  if (isGuessedBy(['atrium'])) {
    return { code: 'product_name', message: 'must not be based on the name of this product, Atrium' };
  }
  return undefined;
}

/** Throws `invalid_body`, with the fault at `pointer`, for a password that `findPasswordFault` refuses. */
export async function requireValidPassword(
  password: string,
  { email, pointer }: { email: string; pointer: '/password' | '/newPassword' },
): Promise<void> {
  const fault = await findPasswordFault(password, email);
  if (fault !== undefined) throw invalidBody({ pointer, ...fault });
}

/**
 * Returns the forms of a password that are checked: the password itself, and without the digits and symbols around it;
 * each also without any symbols, and with letters in place of the digits that look like them. Forms that are shorter
 * than half of the password are left out, since they say little about it.
 */
function formsOf(text: string): string[] {
  const start = text.search(/\p{L}/u);
  const end = Array.from(text.matchAll(/\p{L}/gu)).at(-1);
  const core = end === undefined ? '' : text.slice(start, end.index + end[0].length);
  const forms = [text, core].flatMap((form) => [form, bare(form), bare(lettersFor(form))]);
  return [...new Set(forms.filter(({ length }) => length * 2 >= text.length))];
}

const bare = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '');

const letters: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};
const lettersFor = (text: string): string =>
  text.replaceAll(/[013457@$!]/g, (character) => letters[character] ?? character);

/** Returns the shortest text whose repetition is `text`, which may be `text` itself (prefix function, linear time). */
function unitOf(text: string): string {
  const lengths: number[] = [0];
  for (let index = 1, length = 0; index < text.length; index += 1) {
    while (length > 0 && text[index] !== text[length]) length = lengths[length - 1] ?? 0;
    if (text[index] === text[length]) length += 1;
    lengths.push(length);
  }
  const unitLength = text.length - (lengths.at(-1) ?? 0);
  return text.length % unitLength === 0 ? text.slice(0, unitLength) : text;
}

const isRepeated = (text: string): boolean => unitOf(text).length < text.length;

const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '0123456789',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
].flatMap((row) => [row.repeat(2), Array.from(row.repeat(2)).toReversed().join('')]);

const isSequence = (form: string): boolean =>
  form.length >= minLength && rows.some((row) => row.includes(form));

/** No two common words are longer together. */
const longestPair = 64;

/** Whether a form is a common password or one of `words`, or consists of two of the most common ones or of `words`. */
function isGuessed(form: string, words: ReadonlySet<string>, { all, top }: CommonPasswords): boolean {
  if (all.has(form) || words.has(form)) return true;
  if (form.length > longestPair) return false;
  const isPart = (part: string) => top.has(part) || words.has(part);
  for (let split = 3; split <= form.length - 3; split += 1) {
    if (isPart(form.slice(0, split)) && isPart(form.slice(split))) return true;
  }
  return false;
}

/** Returns an address and its parts, in the forms that passwords are compared in. */
function wordsOfAddress(email: string): string[] {
  const [local = '', domain = ''] = email.toLowerCase().split('@');
  const words = [email.toLowerCase(), local, domain, ...local.split(/[^\p{L}\p{N}]/u), ...domain.split('.')];
  return words.flatMap((word) => [word, bare(word)]).filter((word) => word.length >= 3);
}

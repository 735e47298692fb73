import { slugOf } from './names.ts';
import { secretPrefix, type SecretReference } from './formats.ts';

/**
 * Returns the reference that a new file gets, which is none of `taken`. A data source never gets a variable of single sign-on, whatever
 * its name is: the secret of a directory would be sent to its host.
 */
export function newReference(
  kind: 'source' | 'directory',
  name: string,
  taken: ReadonlySet<string>,
): SecretReference {
  const slug = slugOf(name, kind);
  const owned = kind === 'directory' ? `sso-${slug}` : slug.replace(/^sso(?=-|$)/, 'source-sso');
  const start = secretPrefix + owned.replaceAll('-', '_').toUpperCase();
  let environment = start;
  for (let number = 2; taken.has(environment); number += 1) environment = `${start}_${number}`;
  return { environment };
}

/** Returns the value of a secret; undefined if the variable is not set or empty. */
export const findSecret = (
  environment: Readonly<Record<string, string | undefined>>,
  reference: SecretReference,
): string | undefined =>
  Object.hasOwn(environment, reference.environment)
    ? environment[reference.environment] || undefined
    : undefined;

/** Returns the fault of a secret that is needed and not set. */
export const missingSecret = (file: string, { environment }: SecretReference): string =>
  `${file}: set the environment variable ${environment} to the secret`;

/** Returns a sentence for each member of two objects that differs. */
export function describeDifferences(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((name) => `${name}: ${textOf(before[name])} → ${textOf(after[name])}`);
}

const textOf = (value: unknown): string => (value === undefined ? 'none' : JSON.stringify(value));

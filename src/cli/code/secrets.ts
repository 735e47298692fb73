import { slugOf } from './names.ts';
import type { SecretReference } from './formats.ts';

/** Returns the reference that a new file gets. */
export const newReference = (name: string): SecretReference => ({
  environment: `ATRIUM_SECRET_${slugOf(name, 'source').replaceAll('-', '_').toUpperCase()}`,
});

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

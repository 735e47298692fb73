import type { DataSourceKind, SourceOfKind } from '#contract/data-sources/kinds.ts';
import type { Role } from '#shared/permissions.ts';
import { reasonAgainst } from '../../ui/text/permissions.ts';
import type { SourceKind, Typed } from './kind.ts';

const modules = import.meta.glob<{ readonly sourceKind: SourceKind }>('./*/kind.tsx', { eager: true });

/** The kinds of data sources by their folders. Sound because registry.test.ts compares these with the contract. */
export const sourceKinds = Object.fromEntries(
  Object.entries(modules).map(([path, { sourceKind }]) => [path.split('/')[1], sourceKind]),
) as Readonly<Record<DataSourceKind, SourceKind>>;

/** Whether a text, such as one from a URL, is the name of a kind. */
export const isSourceKind = (text: string | undefined): text is DataSourceKind =>
  text !== undefined && Object.hasOwn(sourceKinds, text);

/** Returns why a role does not permit creating sources of any kind; undefined if it permits one. */
export function reasonAgainstCreating(role: Role): string | undefined {
  const reasons = Object.values(sourceKinds).map(({ manage }) => reasonAgainst(manage, role));
  return reasons.includes(undefined) ? undefined : reasons[0];
}

/** Returns the kind and the connection to send for the values of the form. */
export const inputOf = (kind: DataSourceKind, typed: Typed): SourceOfKind<'input'> =>
  // Sound because a kind without a form has no connection.
  sourceKinds[kind].connection?.inputOf(typed) ?? ({ kind } as SourceOfKind<'input'>);

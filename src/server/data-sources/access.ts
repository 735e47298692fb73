import type { Actor } from '../base/actor.ts';
import type { Role } from '#contract/organizations/organizations.ts';
import { requireAtLeast, requireOpen } from '../organizations/members.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import {
  findReadableDataSource,
  lockReadableDataSource,
  type ReadableDataSource,
  type StoredDataSource,
} from './store.ts';

/** The role that an operation takes, which may depend on the kind of the source. */
export type NeededRole = Role | ((source: StoredDataSource) => Role);

/** Returns a data source of an organization that the actor is a member of. Throws `not_found`, `sso_required`, `forbidden`. */
export async function requireDataSource(
  reader: Reader,
  actor: Actor,
  id: string,
  needed: NeededRole,
): Promise<ReadableDataSource> {
  return requireReadable(await findReadableDataSource(reader, id, actor.userId), actor, needed);
}

/** As `requireDataSource`, in a transaction that changes it or its tables. */
export async function requireDataSourceToChange(
  transaction: Transaction,
  actor: Actor,
  id: string,
  needed: NeededRole,
): Promise<ReadableDataSource> {
  return requireReadable(await lockReadableDataSource(transaction, id, actor.userId), actor, needed);
}

function requireReadable(
  found: ReadableDataSource | undefined,
  actor: Actor,
  needed: NeededRole,
): ReadableDataSource {
  const source = requireOpen(actor, found, found?.organizationId);
  requireAtLeast(source.role, typeof needed === 'function' ? needed(source) : needed);
  return source;
}

import { mayOn, type Action, type Standing } from '#shared/permissions.ts';
import type { Actor } from '../base/actor.ts';
import { AtriumError, notFound } from '../base/errors.ts';
import { requireOpen } from '../organizations/authorization.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { sourceKinds } from './kinds/registry.ts';
import {
  findReadableDataSource,
  lockDataSource,
  lockReadableDataSource,
  type ReadableDataSource,
  type SourcePlace,
  type StoredDataSource,
} from './store.ts';

/** The permission that an operation requires, which may depend on the kind of data source. */
export type SourceAction = Action | ((source: StoredDataSource) => Action);

/** Returns a data source that the actor may see. Throws `not_found`, `sso_required` or `forbidden`. */
export async function requireDataSource(
  reader: Reader,
  actor: Actor,
  id: string,
  action: SourceAction,
): Promise<ReadableDataSource> {
  return requireReadable(await findReadableDataSource(reader, id, actor.userId), actor, action);
}

/** Like `requireDataSource`, but locks the data source, in a transaction that changes it or its tables, or restores it. */
export async function requireDataSourceToChange(
  transaction: Transaction,
  actor: Actor,
  id: string,
  action: SourceAction,
  place?: SourcePlace,
): Promise<ReadableDataSource> {
  return requireReadable(await lockReadableDataSource(transaction, id, actor.userId, place), actor, action);
}

function requireReadable(
  found: ReadableDataSource | undefined,
  actor: Actor,
  action: SourceAction,
): ReadableDataSource {
  const source = requireOpen(actor, found, found?.organizationId);
  const required = typeof action === 'function' ? action(source) : action;
  if (mayOn(standingOf(source, actor.userId), required)) return source;
  throw new AtriumError(
    'forbidden',
    `You can see this data source, but not ${required === 'data_source.use' ? 'query' : 'change'} it. Ask its owner or an admin of the organization.`,
  );
}

/** Returns what decides which actions a user may take on a data source. */
export const standingOf = (
  { role, share, isRestricted, ownerId }: ReadableDataSource,
  userId: string,
): Standing => ({ isPersonal: false, role, isOwner: ownerId === userId, share, isRestricted });

/** Returns the permission to change, test and delete a source. */
export const editSource = ({ kind }: Pick<StoredDataSource, 'kind'>): Action => sourceKinds[kind].edit;

/** Locks and returns a data source for the operator, who may change all of them. Throws `not_found`. */
export async function requireSourceOfOperator(
  transaction: Transaction,
  id: string,
): Promise<StoredDataSource> {
  const source = await lockDataSource(transaction, id);
  if (source === undefined) throw notFound();
  return source;
}

import { sql, type Compilable, type RawBuilder } from 'kysely';
import { removeWords } from '../storage/full-text.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { prepare, type PreparedQuery } from '../storage/prepared-query.ts';
import { tableBelonging, type Belonging, type TableName } from '../storage/tables/belonging.ts';
import { purgeStates } from './store.ts';

interface OfOrganization {
  readonly organizationId: string;
}

interface Batch extends OfOrganization {
  readonly limit: number;
}

const raw = <P>(write: (p: P) => RawBuilder<unknown>): PreparedQuery<P, unknown> =>
  prepare((db, p: P): Compilable => ({ compile: () => write(p).compile(db) }));

/** Whether a row of a table belongs to an organization. */
const belongs = (table: TableName, organizationId: string): RawBuilder<unknown> =>
  sql`(${sql.join(
    tableBelonging[table].to.map((way) => belongsBy(way, organizationId)),
    sql` or `,
  )})`;

function belongsBy(way: Belonging, organizationId: string): RawBuilder<unknown> {
  if ('organization' in way) return sql`${sql.ref(way.organization)} = ${organizationId}`;
  const { parent, column, parentColumn = 'id', unless } = way;
  const isOfParent = sql`${sql.ref(column)} in (
    select ${sql.ref(parentColumn)} from ${sql.table(parent)} where ${belongs(parent, organizationId)})`;
  return unless === undefined ? isOfParent : sql`(${sql.ref(unless)} is null and ${isOfParent})`;
}

const removals = new Map<TableName, PreparedQuery<Batch, unknown>>();

function removalFrom(table: TableName): PreparedQuery<Batch, unknown> {
  const known = removals.get(table);
  if (known !== undefined) return known;
  const keys = sql.join(tableBelonging[table].key.map((column) => sql.ref(column)));
  const removal = raw((p: Batch) =>
    tableBelonging[table].key.length === 0
      ? sql`delete from ${sql.table(table)} where ${belongs(table, p.organizationId)}`
      : sql`delete from ${sql.table(table)} where (${keys}) in (
          select ${keys} from ${sql.table(table)} where ${belongs(table, p.organizationId)}
          limit cast(${p.limit} as integer))`,
  );
  removals.set(table, removal);
  return removal;
}

/** Deletes up to `limit` rows of an organization from a table. Returns how many. */
export const removeRows = (transaction: Transaction, table: TableName, batch: Batch): Promise<number> =>
  transaction.run(removalFrom(table), batch);

const entryKeys = prepare((db, p: Batch) =>
  db
    .selectFrom('dashboard_entries')
    .select('key')
    .where(sql<boolean>`${belongs('dashboard_entries', p.organizationId)}`)
    .limit(p.limit),
);
const removeEntry = prepare((db, p: { key: number }) =>
  db.deleteFrom('dashboard_entries').where('key', '=', p.key),
);

/** Deletes up to `limit` dashboards of an organization from the index of lists and words. Returns how many. */
export async function removeEntries(transaction: Transaction, batch: Batch): Promise<number> {
  const found = await transaction.all(entryKeys, batch);
  for (const { key } of found) {
    await removeWords(transaction, Number(key));
    await transaction.run(removeEntry, { key: Number(key) });
  }
  return found.length;
}

/** Responses that are stored for repeated requests contain what was created, also for members whose accounts stay. */
const removeResponses = prepare((db, p: OfOrganization) =>
  db
    .deleteFrom('idempotency_keys')
    .where(
      'user_id',
      'in',
      db.selectFrom('deleted_members').select('user_id').where('organization_id', '=', p.organizationId),
    ),
);

/** The keys under which emails and deletions of the organization are counted end with its ID. */
const removeCounts = prepare((db, p: { ending: string }) =>
  db.deleteFrom('limited_attempts').where('key', 'like', p.ending),
);

/** Service accounts name the person who created them, who may be deleted first. */
const forgetCreators = prepare((db, p: OfOrganization) =>
  db
    .updateTable('users')
    .set({ created_by: null })
    .where('organization_id', '=', p.organizationId)
    .where('created_by', 'is not', null),
);

const start = prepare((db, p: OfOrganization & { now: string }) =>
  db
    .updateTable('deleted_organizations')
    .set({ purging: purgeStates.begun })
    .where('organization_id', '=', p.organizationId)
    .where('ends_at', '<=', p.now)
    .where('purging', '=', purgeStates.notBegun),
);

/** Returns whether this call has begun to delete the data of an organization whose time has ended. */
export async function beginPurge(
  transaction: Transaction,
  { organizationId, now }: OfOrganization & { readonly now: string },
): Promise<boolean> {
  if ((await transaction.run(start, { organizationId, now })) === 0) return false;
  await transaction.run(removeResponses, { organizationId });
  await transaction.run(forgetCreators, { organizationId });
  return true;
}

const blank = prepare((db, p: OfOrganization) =>
  db.updateTable('organizations').set({ name: '', chart_colors: '[]' }).where('id', '=', p.organizationId),
);
const setRemoved = prepare((db, p: OfOrganization) =>
  db
    .updateTable('deleted_organizations')
    .set({ purging: purgeStates.removed })
    .where('organization_id', '=', p.organizationId),
);

/** Stores that all rows of an organization are deleted except its own, which has no name from then on. */
export async function finishRemoval(transaction: Transaction, organizationId: string): Promise<void> {
  await transaction.run(removeCounts, { ending: `% ${organizationId}` });
  await transaction.run(blank, { organizationId });
  await transaction.run(setRemoved, { organizationId });
}

const sourceIds = prepare((db, p: OfOrganization) =>
  db.selectFrom('data_sources').select('id').where('organization_id', '=', p.organizationId),
);

export const selectSourceIds = async (reader: Reader, organizationId: string): Promise<string[]> =>
  (await reader.all(sourceIds, { organizationId })).map(({ id }) => id);

import { sql } from 'kysely';
import type { TableReference } from '#shared/models.ts';
import { mapRows, type FirstRows } from '../base/paging.ts';
import { requireRoom } from '../quotas/quotas.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { prepare, prepareRemembered } from '../storage/prepared-query.ts';
import type { ModelContent } from './content.ts';

/** A model as it is stored; its content is empty if it was deleted. */
export interface ModelRecord extends TableReference {
  readonly version: number;
  readonly content: ModelContent;
  readonly updatedAt: string;
}

const columns = [
  'schema_name as schema',
  'table_name as name',
  'version',
  'content',
  'updated_at as updatedAt',
] as const;

interface Range {
  readonly dataSourceId: string;
  readonly afterSchema: string;
  readonly afterName: string;
  readonly limit: number;
}

const ofSource = prepare((db, p: Range, engine) => {
  // The same order on each database, and the same as that of the cursor.
  const [schema, name] = ['schema_name', 'table_name'].map((column) =>
    engine === 'SQLite' ? sql.ref(column) : sql`${sql.ref(column)} collate "C"`,
  );
  return db
    .selectFrom('table_models')
    .select(columns)
    .where('data_source_id', '=', p.dataSourceId)
    .where('content', '<>', '{}')
    .where(sql<boolean>`(${schema}, ${name}) > (${p.afterSchema}, ${p.afterName})`)
    .orderBy(sql`${schema}, ${name}`)
    .limit(p.limit);
});

/** Returns models of a data source by schema and name, without deleted ones: those that follow a table, or the first ones. */
export const selectModels = async (
  reader: Reader,
  dataSourceId: string,
  { after, limit }: { readonly after: TableReference | undefined; readonly limit: number },
): Promise<FirstRows<ModelRecord>> => {
  const range = { dataSourceId, afterSchema: after?.schema ?? '', afterName: after?.name ?? '', limit };
  return mapRows(await reader.page(ofSource, range), toRecord);
};

const names = prepareRemembered((db, p: { dataSourceId: string }) =>
  db
    .selectFrom('table_models')
    .select(['schema_name as schema', 'table_name as name'])
    .where('data_source_id', '=', p.dataSourceId)
    .where('content', '<>', '{}'),
);

/** Returns the described tables of a data source. */
export const selectModelNames = (reader: Reader, dataSourceId: string): Promise<TableReference[]> =>
  reader.all(names, { dataSourceId });

const ofTable = prepare((db, p: TableReference & { dataSourceId: string }) =>
  db
    .selectFrom('table_models')
    .select(columns)
    .where('data_source_id', '=', p.dataSourceId)
    .where('schema_name', '=', p.schema)
    .where('table_name', '=', p.name),
);

/** Returns the model of a table, which may be a deleted one, or undefined. */
export async function findStoredModel(
  reader: Reader,
  dataSourceId: string,
  { schema, name }: TableReference,
): Promise<ModelRecord | undefined> {
  const row = await reader.first(ofTable, { dataSourceId, schema, name });
  return row && toRecord(row);
}

const size = prepare((db, p: { dataSourceId: string }) =>
  db
    .selectFrom('table_models')
    .select((select) => [
      select.fn.sum<number | string | null>(select.fn('length', ['content'])).as('length'),
      select.fn.countAll<number | string>().as('count'),
    ])
    .where('data_source_id', '=', p.dataSourceId),
);

/** Returns how many models a data source has, with deleted ones, and their length in characters. */
export async function measureModels(
  reader: Reader,
  dataSourceId: string,
): Promise<{ readonly length: number; readonly count: number }> {
  const { length, count } = (await reader.first(size, { dataSourceId })) ?? {};
  return { length: Number(length ?? 0), count: Number(count ?? 0) };
}

interface NewRow extends TableReference {
  readonly dataSourceId: string;
  readonly version: number;
  readonly content: string;
  readonly updatedAt: string;
}

const save = prepare((db, p: NewRow) =>
  db
    .insertInto('table_models')
    .values({
      data_source_id: p.dataSourceId,
      schema_name: p.schema,
      table_name: p.name,
      version: p.version,
      content: p.content,
      updated_at: p.updatedAt,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['data_source_id', 'schema_name', 'table_name'])
        .doUpdateSet({ version: p.version, content: p.content, updated_at: p.updatedAt }),
    ),
);

/** Stores a model of a data source. An empty one, which deletes, needs no room. */
export async function saveModel(
  transaction: Transaction,
  { id, organizationId }: { readonly id: string; readonly organizationId: string },
  { schema, name, version, content, updatedAt }: ModelRecord,
): Promise<void> {
  const text = JSON.stringify(content);
  if (Object.keys(content).length > 0)
    await requireRoom(
      transaction,
      { kind: 'organization', organizationId },
      { records: 0, bytes: Buffer.byteLength(text) },
    );
  await transaction.run(save, { dataSourceId: id, schema, name, version, content: text, updatedAt });
}

const toRecord = (row: Omit<ModelRecord, 'content'> & { readonly content: string }): ModelRecord => ({
  ...row,
  // Sound because `saveModel` wrote it.
  content: JSON.parse(row.content) as ModelContent,
});

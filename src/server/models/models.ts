import type { StoredModel, TableModel } from '#contract/models.ts';
import type { Fault } from '#contract/problem.ts';
import type { TableReference } from '#shared/models.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Actor } from '../base/actor.ts';
import { timestamp, type Clock } from '../base/clock.ts';
import { AtriumError, invalidBody, invalidFaults } from '../base/errors.ts';
import { eachRow, mapRows, toPage, type Page, type PageRequest } from '../base/paging.ts';
import { keyOfOrganization, keyOfPerson, type LimitKey } from '../base/tenant.ts';
import { parseJson } from '../base/texts/json.ts';
import {
  requireDataSource,
  requireDataSourceToChange,
  requireSourceOfOperator,
} from '../data-sources/access.ts';
import type { Database, Reader, Transaction } from '../storage/database.ts';
import { findModelFaults, toContent, type ModelContent } from './content.ts';
import { findStoredModel, measureModels, saveModel, selectModels, type ModelRecord } from './store.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
}

/** The versions that an edit may start from; `any` overwrites every version. */
type ExpectedVersion = readonly number[] | 'any';

/** A table that nobody has described has this version. */
const firstVersion = 1;

/** How many models are read at once, if they fit into the bytes of a page. */
const modelsAtOnce = 200;

/** Limits what is read to list all models, as the tools for language models and exports do. */
const maxLength = 8 * 1024 * 1024;

/** Limits how many names each run of a report reads to label its result. */
const maxModels = 10_000;

/** The form of the table after which a page begins, in a cursor: the JSON of its schema and name. */
export const modelKey = /^\["(?:[^"\\]|\\.)*","(?:[^"\\]|\\.)*"\]$/u;

/** Lists models of a data source by schema and name. Editor or higher. */
export async function listModels(
  reader: Reader,
  actor: Actor,
  dataSourceId: string,
  { after, limit }: PageRequest,
): Promise<Page<StoredModel>> {
  await requireDataSource(reader, actor, dataSourceId, 'data_source.use');
  const found = await selectModels(reader, dataSourceId, { after: readKey(after), limit });
  return toPage(mapRows(found, toModel), ({ schema, name }) => JSON.stringify([schema, name]));
}

function readKey(key: string | undefined): TableReference | undefined {
  if (key === undefined) return undefined;
  // Sound because of the form of the key.
  const [schema, name] = parseJson(key) as [string, string];
  return { schema, name };
}

/** Returns all models of a data source by schema and name. Editor or higher. */
export async function listAllModels(
  reader: Reader,
  actor: Actor,
  dataSourceId: string,
): Promise<StoredModel[]> {
  await requireDataSource(reader, actor, dataSourceId, 'data_source.use');
  return (await readAll(reader, keyOfPerson(actor.userId), dataSourceId)).map(toModel);
}

const readAll = (reader: Reader, key: LimitKey, dataSourceId: string): Promise<ModelRecord[]> =>
  Array.fromAsync(
    eachRow(key, (after: ModelRecord | undefined) =>
      selectModels(reader, dataSourceId, { after, limit: modelsAtOnce }),
    ),
  );

/**
 * Replaces the model of a table. Editor or higher. Throws `invalid_body` with every fault, and `edit_conflict` with the current
 * model unless its version is an expected one.
 */
export function putModel(
  { database, clock }: Dependencies,
  actor: Actor,
  input: { readonly dataSourceId: string; readonly expected: ExpectedVersion; readonly model: TableModel },
): Promise<StoredModel> {
  const { dataSourceId, expected, model } = input;
  return database.write(async (transaction) => {
    const source = await requireDataSourceToChange(transaction, actor, dataSourceId, 'model.edit');
    const faults = findModelFaults(model);
    if (faults.length > 0) throw invalidFaults(faults);
    const stored = await store(transaction, clock, actor, source, { expected, model });
    await requireSpace(transaction, source.id);
    return toModel(stored);
  });
}

/** Deletes the model of a table. Editor or higher. Throws `edit_conflict` unless its version is an expected one. */
export async function deleteModel(
  { database, clock }: Dependencies,
  actor: Actor,
  input: {
    readonly dataSourceId: string;
    readonly expected: ExpectedVersion;
    readonly table: TableReference;
  },
): Promise<void> {
  const { dataSourceId, expected, table } = input;
  await database.write(async (transaction) => {
    const source = await requireDataSourceToChange(transaction, actor, dataSourceId, 'model.edit');
    await store(transaction, clock, actor, source, { expected, model: table });
  });
}

/** What an import does with a model. */
export interface ImportedModel extends TableReference {
  readonly action: 'create' | 'update' | 'unchanged';
}

/** Lists the models of a data source for the operator, by schema and name. */
export const exportModels = async (
  reader: Reader,
  organizationId: string,
  dataSourceId: string,
): Promise<TableModel[]> =>
  (await readAll(reader, keyOfOrganization(organizationId), dataSourceId)).map(
    ({ schema, name, content }) => ({
      schema,
      name,
      ...content,
    }),
  );

/**
 * Replaces the models of the given tables for the operator: all, or none. Other tables don't change. Throws `invalid_body` with
 * every fault, with pointers into the list.
 */
export function importModels(
  { database, clock }: Dependencies,
  input: {
    readonly dataSourceId: string;
    readonly models: readonly TableModel[];
    readonly isDryRun: boolean;
  },
): Promise<ImportedModel[]> {
  const { dataSourceId, models, isDryRun } = input;
  return database.write(async (transaction) => {
    const source = await requireSourceOfOperator(transaction, dataSourceId);
    const seen = new Set<string>();
    const faults = models.flatMap((model, index) => [
      ...findModelFaults(model).map((fault) => ({ ...fault, pointer: `/${index}${fault.pointer}` })),
      ...repeatedTable(seen, model, `/${index}/name`),
    ]);
    if (faults.length > 0) throw invalidFaults(faults);
    const imported: ImportedModel[] = [];
    for (const model of models) {
      const { schema, name } = model;
      const before = await findStoredModel(transaction, source.id, model);
      const isSame = JSON.stringify(before?.content ?? {}) === JSON.stringify(toContent(model));
      const isNew = before === undefined || isEmpty(before.content);
      imported.push({ schema, name, action: isSame ? 'unchanged' : isNew ? 'create' : 'update' });
      if (!isSame && !isDryRun)
        await store(transaction, clock, undefined, source, { expected: 'any', model });
    }
    // Once, since it reads every model.
    await requireSpace(transaction, source.id);
    return imported;
  });
}

function repeatedTable(seen: Set<string>, { schema, name }: TableReference, pointer: string): Fault[] {
  const key = JSON.stringify([schema, name]);
  if (seen.has(key))
    return [{ pointer, code: 'unique', message: 'must not be the table of an earlier model' }];
  seen.add(key);
  return [];
}

/** Stores a valid model as a new version, unless it is the same as the current one. `requireSpace` follows. The data source is locked. */
async function store(
  transaction: Transaction,
  clock: Clock,
  actor: Actor | undefined,
  source: { readonly id: string; readonly organizationId: string },
  { expected, model }: { readonly expected: ExpectedVersion; readonly model: TableModel },
): Promise<ModelRecord> {
  const { schema, name } = model;
  const now = timestamp(clock());
  const undescribed = { schema, name, version: firstVersion, content: {}, updatedAt: now };
  const current = (await findStoredModel(transaction, source.id, model)) ?? undescribed;
  if (expected !== 'any' && !expected.includes(current.version)) throw conflictWith(current);
  const content = toContent(model);
  const text = JSON.stringify(content);
  if (text === JSON.stringify(current.content)) return current;
  const stored = { schema, name, version: current.version + 1, content, updatedAt: now };
  await saveModel(transaction, source, stored);
  const action = isEmpty(content) ? 'model.deleted' : 'model.saved';
  const details = { dataSourceId: source.id, schema, table: name };
  const { organizationId } = source;
  await recordAudit(transaction, clock, { organizationId, action, ...(actor && { actor }), details });
  return stored;
}

const isEmpty = (content: ModelContent): boolean => Object.keys(content).length === 0;

/** Throws `invalid_body` if the models of a data source are too long, or too many. */
async function requireSpace(transaction: Transaction, dataSourceId: string): Promise<void> {
  const { length, count } = await measureModels(transaction, dataSourceId);
  if (length > maxLength) {
    const message =
      'The models of a data source can have at most 8 MiB in total. Shorten their descriptions.';
    throw invalidBody({ pointer: '', code: 'maxLength', message });
  }
  if (count > maxModels) {
    const message = 'At most 10,000 tables of a data source can ever be described.';
    throw invalidBody({ pointer: '', code: 'maxItems', message });
  }
}

const conflictWith = (current: ModelRecord): AtriumError =>
  new AtriumError(
    'edit_conflict',
    `Somebody else has changed the description of ${current.name} since you opened it. Your changes were not saved.`,
    { extension: { current: toModel(current) } },
  );

const toModel = ({ schema, name, version, content, updatedAt }: ModelRecord): StoredModel => ({
  schema,
  name,
  ...content,
  version,
  updatedAt,
});

import { isDeepStrictEqual } from 'node:util';
import type { DataSource } from '#contract/data-sources/data-sources.ts';
import type { StoredModel, TableModel } from '#contract/models.ts';
import { CommandFailure } from '../../failure.ts';
import { modelsFormat, sourceFormat, type ModelsDocument } from '../formats.ts';
import { keyOf, sourceKey, type CodeFile } from '../names.ts';
import type { PlanContext, Section, Step } from '../plan.ts';
import { listSources } from './sources.ts';

/** The descriptions of the tables of a data source. */
export const models: Section = {
  formats: [modelsFormat],

  async read(context) {
    const documents: ModelsDocument[] = [];
    for (const source of (await listSources(context)).values()) {
      const stored = await listModels(context, source.id);
      const { name, kind } = source;
      if (stored.length > 0)
        documents.push({ format: modelsFormat, dataSource: { name, kind }, models: stored.map(contentOf) });
    }
    return documents;
  },

  async plan(context, files) {
    const present = await listSources(context);
    const steps: Step[] = [];
    const faults: string[] = [];
    let unchanged = 0;
    for (const { file, key, wanted } of descriptionsIn(files, context.prunes)) {
      const source = present.get(key);
      if (source === undefined && !context.createdSources.has(key)) {
        if (wanted.length > 0) faults.push(`${file.name}: the organization has no such data source`);
        continue;
      }
      const stored = new Map<string, StoredModel>();
      if (source !== undefined)
        for (const model of await listModels(context, source.id)) stored.set(tableOf(model), model);
      const seen = new Set<string>();
      for (const model of wanted) {
        const table = tableOf(model);
        if (seen.has(table)) faults.push(`${file.name}: describes ${model.name} twice`);
        seen.add(table);
        const before = stored.get(table);
        stored.delete(table);
        if (before !== undefined && isDeepStrictEqual(contentOf(before), { ...model })) unchanged += 1;
        else steps.push(put(context, key, model, before));
      }
      if (context.prunes && source !== undefined)
        for (const model of stored.values()) steps.push(deletion(context, source, model));
    }
    return { steps, unchanged, faults };
  },
};

interface Descriptions {
  readonly file: CodeFile;
  /** Of the data source. */
  readonly key: string;
  readonly wanted: readonly TableModel[];
}

/** Returns what each file describes; to delete the others, also the data sources that have a file, and none of descriptions. */
function descriptionsIn(files: readonly CodeFile[], prunes: boolean): Descriptions[] {
  const described = files.flatMap((file): Descriptions[] =>
    file.document.format === modelsFormat
      ? [{ file, key: sourceKey(file.document.dataSource), wanted: file.document.models }]
      : [],
  );
  const keys = new Set(described.map(({ key }) => key));
  const others = files.flatMap((file): Descriptions[] => {
    const key = file.document.format === sourceFormat ? keyOf(file.document) : undefined;
    return key === undefined || keys.has(key) || !prunes ? [] : [{ file, key, wanted: [] }];
  });
  return [...described, ...others];
}

const tableOf = ({ schema, name }: Pick<TableModel, 'schema' | 'name'>): string =>
  JSON.stringify([schema, name]);

function contentOf({ version: _version, updatedAt: _updatedAt, ...content }: StoredModel): TableModel {
  return content;
}

const put = (
  context: PlanContext,
  key: string,
  model: TableModel,
  before: StoredModel | undefined,
): Step => ({
  isDeletion: false,
  changes: [
    {
      kind: 'model',
      action: before === undefined ? 'create' : 'update',
      name: model.name,
      details:
        before === undefined ? [] : [`Changes: ${changedMembers(contentOf(before), model).join(', ')}`],
    },
  ],
  async apply() {
    // A data source of the same push exists only now.
    const source = (await listSources(context)).get(key);
    if (source === undefined) throw new CommandFailure('The data source of the description was deleted.');
    await context.server.client.call('PUT /api/data-sources/{dataSourceId}/models', {
      params: { dataSourceId: source.id },
      // A table that nobody has described has version 1.
      headers: { 'if-match': `"${before?.version ?? 1}"` },
      body: model,
    });
  },
});

function changedMembers(before: TableModel, after: TableModel): string[] {
  const [one, other] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return [...new Set([...one.keys(), ...other.keys()])].filter(
    (name) => !isDeepStrictEqual(one.get(name), other.get(name)),
  );
}

const deletion = ({ server }: PlanContext, { id }: DataSource, model: StoredModel): Step => ({
  isDeletion: true,
  changes: [{ kind: 'model', action: 'delete', name: model.name, details: ['The table stays as it is.'] }],
  async apply() {
    await server.client.call('DELETE /api/data-sources/{dataSourceId}/models', {
      params: { dataSourceId: id },
      headers: { 'if-match': `"${model.version}"` },
      query: { schema: model.schema, table: model.name },
    });
  },
});

const listModels = (
  { server }: Pick<PlanContext, 'server'>,
  dataSourceId: string,
): Promise<readonly StoredModel[]> =>
  Array.fromAsync(
    server.client.items('GET /api/data-sources/{dataSourceId}/models', { params: { dataSourceId } }),
  );

import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { Type, type Static } from 'typebox';
import { parseDocument, stringify } from 'yaml';
import { TableModel } from '#contract/models.ts';
import { dataSourceKinds } from '#contract/data-sources/kinds.ts';
import type { DataSourceKind } from '#contract/data-sources/kinds.ts';
import { dialectOfKind, dialects } from '#shared/query-builder/dialects/dialects.ts';
import { invalidFaults } from '../../base/errors.ts';
import { closed } from '#contract/validation/closed.ts';
import { faultFinder } from '#contract/validation/fault-finder.ts';
import { findDataSourcesNamed } from '../../data-sources/names.ts';
import { fromOssie, type OssieImport } from '../../models/ossie/import.ts';
import { OssieDocument } from '../../models/ossie/schema.ts';
import type { Reader } from '../../storage/database.ts';
import { UsageError } from '../../../cli/usage/usage.ts';
import { withoutStackTrace } from '../files.ts';

/** The `format` of a file with models. Later formats get higher numbers. */
const modelsFormat = 'atrium.models/1';

const ModelsDocument = Type.Object({
  format: Type.Literal(modelsFormat),
  dataSource: Type.Object({ name: Type.String(), kind: Type.Enum([...dataSourceKinds]) }),
  models: Type.Array(TableModel, { maxItems: 10_000 }),
});

const findFaults = faultFinder(closed(ModelsDocument));
const findModelsFaults = faultFinder(ModelsDocument.properties.models);
// Its standard lets vendors add members.
const findOssieFaults = faultFinder(OssieDocument);

/** As large as the models of a data source can be, and some more for the syntax. */
const maxBytes = 16 * 1024 * 1024;

/** Returns the text of a file with the models of a data source. Equal models have equal texts. */
export const modelsText = (
  dataSource: { readonly name: string; readonly kind: DataSourceKind },
  models: readonly TableModel[],
): string => yamlOf({ format: modelsFormat, dataSource, models });

export const yamlOf = (document: object): string =>
  // A repeated part would otherwise be written as an alias.
  stringify(document, { aliasDuplicateObjects: false, lineWidth: 120 });

/**
 * Returns the models in a text, which is YAML or JSON: the models of this server, or a semantic model of Apache Ossie. Throws
 * `invalid_body` with every fault.
 */
export function readModels(bytes: Buffer, kind: DataSourceKind): OssieImport {
  if (bytes.byteLength > maxBytes) throw new UsageError('The file is larger than 16 MiB.');
  const value = parseYaml(bytes.toString('utf8'));
  if (typeof value === 'object' && value !== null && 'semantic_model' in value) {
    const faults = findOssieFaults(value);
    if (faults.length > 0) throw invalidFaults(faults);
    // Sound because it matches the schema of the type.
    const imported = fromOssie(value as OssieDocument, dialects[dialectOfKind[kind]].defaultSchema);
    const limits = findModelsFaults(imported.models);
    if (limits.length > 0) throw invalidFaults(limits);
    return imported;
  }
  const faults = findFaults(value);
  if (faults.length > 0) throw invalidFaults(faults);
  // Sound as above.
  return { models: (value as Static<typeof ModelsDocument>).models, notes: [] };
}

/** Throws `invalid_body` with every fault. YAML includes JSON. */
function parseYaml(text: string): unknown {
  const document = parseDocument(text, { uniqueKeys: true });
  const faults = document.errors.map(({ message }) => ({ pointer: '', code: 'yaml', message }));
  if (faults.length > 0) throw invalidFaults(faults);
  try {
    // Few aliases, so that a small file can't become a large value.
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    if (error instanceof ReferenceError)
      throw invalidFaults([{ pointer: '', code: 'yaml', message: error.message }]);
    throw error;
  }
}

export function readModelsFile(path: string): Buffer {
  return withoutStackTrace(() => {
    if (statSync(path).size > maxBytes) throw new UsageError('The file is larger than 16 MiB.');
    return readFileSync(path);
  });
}

export const writeModelsFile = (path: string, text: string): void =>
  withoutStackTrace(() => writeFileSync(path, text));

/** Returns the data source of an organization that has a name. Throws `UsageError` unless there is exactly one. */
export async function getSource(
  reader: Reader,
  organizationId: string,
  name: string,
): Promise<{ readonly id: string; readonly name: string; readonly kind: DataSourceKind }> {
  const [source, ...others] = await findDataSourcesNamed(reader, organizationId, name);
  if (source === undefined)
    throw new UsageError(`The organization has no data source with the name ${name}.`);
  if (others.length > 0)
    throw new UsageError(`Several data sources have the name ${name}. Rename one of them.`);
  return { ...source, name };
}

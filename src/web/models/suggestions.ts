import type { SourceTable } from '#contract/data-sources.ts';
import type { Relationship } from '#shared/models.ts';

type Table = Pick<SourceTable, 'schema' | 'name' | 'columns' | 'primaryKey' | 'foreignKeys'>;

/**
 * Returns the relationships of a table that its source declares, and those that the names of its columns suggest, such as
 * `customer_id` and a table `customers` with a column `id`. Those that `known` has are left out.
 */
export function suggestRelationships(
  table: Table,
  tables: readonly Table[],
  known: readonly Relationship[],
): Relationship[] {
  const declared = (table.foreignKeys ?? []).map(
    ({ columns, schema, table: name, otherColumns }): Relationship => ({
      name,
      columns,
      references: { schema, name, columns: otherColumns },
    }),
  );
  const found = [...declared, ...byName(table, tables)];
  const seen = new Set(known.map(keyOf));
  const names = new Set(known.map(({ name }) => name));
  return found.flatMap((relationship) => {
    const key = keyOf(relationship);
    if (seen.has(key)) return [];
    seen.add(key);
    const { name, columns } = relationship;
    const unique = names.has(name) ? `${name} by ${columns.join(', ')}` : name;
    names.add(unique);
    return [{ ...relationship, name: unique }];
  });
}

/** A pair of tables and columns is one relationship, whatever its name. */
const keyOf = ({ columns, references }: Relationship): string =>
  JSON.stringify([columns, references.schema, references.name]);

function byName({ schema, name: own, columns }: Table, tables: readonly Table[]): Relationship[] {
  return tables.flatMap((other) => {
    if (other.schema !== schema) return [];
    const [key, ...more] = other.primaryKey ?? [];
    if (more.length > 0) return [];
    const target = other.columns.find(({ name }) => name === (key ?? 'id'));
    if (target === undefined) return [];
    const stems = [other.name, singular(other.name)].map((stem) => stem.toLowerCase());
    const names = new Set(
      stems.flatMap((stem) => [
        `${stem}_${target.name.toLowerCase()}`,
        `${stem}${target.name.toLowerCase()}`,
      ]),
    );
    return columns
      .filter((column) => names.has(column.name.toLowerCase()) && column.type === target.type)
      .filter((column) => !(other.name === own && column.name === target.name))
      .map((column) => ({
        name: other.name,
        columns: [column.name],
        references: { schema: other.schema, name: other.name, columns: [target.name] },
      }));
  });
}

/** Returns a name in the singular, as far as its ending shows it. */
const singular = (name: string): string =>
  name.replace(/(ies|sses|s)$/i, (ending) => ({ ies: 'y', sses: 'ss' })[ending.toLowerCase()] ?? '');

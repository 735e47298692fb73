import type { SourceTable } from '#contract/data-sources/data-sources.ts';
import { findNamedKeys } from '#shared/key-names.ts';
import { t } from '#shared/language/messages.ts';
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
    const unique = names.has(name) ? t('{name} by {columns}', { name, columns: columns.join(', ') }) : name;
    names.add(unique);
    return [{ ...relationship, name: unique }];
  });
}

/** A pair of tables and columns is one relationship, whatever its name. */
const keyOf = ({ columns, references }: Relationship): string =>
  JSON.stringify([columns, references.schema, references.name]);

const byName = (table: Table, tables: readonly Table[]): Relationship[] =>
  tables.flatMap((other) =>
    findNamedKeys(table, other).map(({ column, target }) => ({
      name: other.name,
      columns: [column],
      references: { schema: other.schema, name: other.name, columns: [target] },
    })),
  );

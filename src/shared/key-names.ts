import type { ColumnType } from './columns.ts';
import type { TableReference } from './models.ts';

interface Table extends TableReference {
  readonly columns: readonly { readonly name: string; readonly type: ColumnType }[];
  readonly primaryKey?: readonly string[];
}

/** A column that its name suggests to refer to a row of another table. */
interface NamedKey {
  readonly column: string;
  /** The column of the other table. */
  readonly target: string;
  /** Whether the target is known to identify a row. */
  readonly isKey: boolean;
}

/**
 * Returns the columns of a table that refer to rows of another one, as far as names show it: `customer_id` and `customerid` refer
 * to the key of `customers` or `customer`, or else to its `id` or `customer_id`, if the types and the schemas are the same.
 */
export function findNamedKeys(from: Table, to: Table): NamedKey[] {
  const [key, ...others] = to.primaryKey ?? [];
  if (from.schema !== to.schema || others.length > 0) return [];
  const isSame = from.name === to.name;
  return from.columns.flatMap((column) => {
    const name = column.name.toLowerCase();
    const isNamedAfter = (target: string): boolean =>
      stemsOf(to.name).some((stem) => name === `${stem}_${target}` || name === `${stem}${target}`);
    const target = to.columns.find((other) => {
      const otherName = other.name.toLowerCase();
      const fits =
        other.name === (key ?? other.name) &&
        ((otherName === name && isNamedAfter('id')) ||
          ((key !== undefined || otherName === 'id') && isNamedAfter(otherName)));
      return fits && other.type === column.type && !(isSame && other.name === column.name);
    });
    return target === undefined
      ? []
      : [{ column: column.name, target: target.name, isKey: target.name === key }];
  });
}

/** Returns the name of a table, and what its singular can be: `country` of `countries`, `box` of `boxes`. */
function stemsOf(table: string): readonly string[] {
  const name = table.toLowerCase();
  return [name, name.replace(/s$/, ''), name.replace(/es$/, ''), name.replace(/ies$/, 'y')];
}

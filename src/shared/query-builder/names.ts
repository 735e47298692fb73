import type { Dialect } from './dialects/dialect.ts';
import { identifierOf, uniqueName } from './parameters.ts';
import type { QueryStructure } from './structure.ts';

/** Returns what is wrong with the name of a column of the result, or undefined if it is valid. */
export function nameFault({ maxNameBytes }: Dialect, name: string): string | undefined {
  if (name.trim() === '') return 'Enter a name.';
  if (name.length > maxNameBytes || new TextEncoder().encode(name).length > maxNameBytes)
    return `The name is too long: the data source allows ${maxNameBytes} bytes.`;
  return name.includes('\0') ? 'A name must not contain the character U+0000.' : undefined;
}

/** The names of the columns of a result, which are unique even if case is ignored, as DuckDB does. */
export interface ResultNames {
  /** Returns whether the name was free, and takes it. */
  take(name: string): boolean;
  /** Takes the first of the names that is free, or the last with a number, and returns it. */
  takeFirst(...names: readonly [string, ...string[]]): string;
}

export function createResultNames(): ResultNames {
  const taken = new Set<string>();
  function take(name: string): boolean {
    const isFree = !taken.has(name.toLowerCase());
    taken.add(name.toLowerCase());
    return isFree;
  }
  return {
    take,
    takeFirst(...names) {
      const free = names.find((name) => !taken.has(name.toLowerCase()));
      const last = names.at(-1) ?? '';
      let name = free ?? last;
      for (let number = 2; !take(name); number += 1) name = `${last}_${number}`;
      return name;
    },
  };
}

/** Returns the name of a query within the query of a structure, which none of its tables has. */
export function queryName({ table, joins = [] }: QueryStructure, wanted: string): string {
  const tables = [table.name, ...joins.flatMap((join) => [join.as, join.table.name])];
  const taken = new Set(tables.map((name) => name.toLowerCase()));
  return uniqueName(identifierOf(wanted).toLowerCase(), taken);
}

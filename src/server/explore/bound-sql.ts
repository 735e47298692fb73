import type { QueryParameter } from '../engine/parameter-casts.ts';

/** SQL with the values of its placeholders. */
export interface BoundSql {
  readonly sql: string;
  readonly parameters: readonly QueryParameter[];
}

/** Collects the values of a query: every value is a parameter of the engine, and none is part of the text. */
export interface Values {
  /** Returns the placeholder of a value. */
  add(type: QueryParameter['type'], value: QueryParameter['value']): string;
  /** Returns the placeholder of a number as a double. */
  addNumber(value: number): string;
  /** Returns the text with all values. */
  bind(sql: string): BoundSql;
}

/** `taken` are the parameters of the report that is explored. */
export function createValues(taken: readonly Pick<QueryParameter, 'name'>[]): Values {
  const names = new Set(taken.map(({ name }) => name));
  const parameters: QueryParameter[] = [];
  let number = 0;
  function add(type: QueryParameter['type'], value: QueryParameter['value']): string {
    do number += 1;
    while (names.has(`value_${number}`));
    const name = `value_${number}`;
    parameters.push({ name, type, value });
    return `{{${name}}}`;
  }
  return {
    add,
    addNumber: (value) => `CAST(${add('number', value)} AS double precision)`,
    bind: (sql) => ({ sql, parameters }),
  };
}

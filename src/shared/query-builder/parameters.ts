import { parameterName, type ParameterType } from '../parameter-values.ts';
import { requireParameterCount } from './limits.ts';
import { atom, type Sql } from './sql/expression.ts';

/** A parameter of the report that has a value of a filter. */
export interface GeneratedParameter {
  readonly name: string;
  readonly type: ParameterType;
  readonly default: string | number | boolean | readonly string[] | null;
}

/** Collects the parameters of a query. */
export interface Parameters {
  readonly list: readonly GeneratedParameter[];
  /** Adds a parameter and returns its placeholder. Its name is like `name`, which may be any text. */
  add(name: string, type: ParameterType, value: GeneratedParameter['default']): Sql;
}

export function createParameters(): Parameters {
  const list: GeneratedParameter[] = [];
  const taken = new Set<string>();
  return {
    list,
    add(wanted, type, value) {
      const name = uniqueName(identifierOf(wanted), taken);
      taken.add(name);
      list.push({ name, type, default: value });
      requireParameterCount(list.length);
      return atom(`{{${name}}}`);
    },
  };
}

/** Returns the first of `name`, `name_2`, `name_3` … that isn't taken. */
export function uniqueName(name: string, taken: { has(name: string): boolean }): string {
  let unique = name;
  for (let number = 2; taken.has(unique); number += 1) unique = `${name.slice(0, 56)}_${number}`;
  return unique;
}

/** Returns a name of letters, digits and `_` for any text: `Größe (cm)` becomes `Grosse_cm`. */
export function identifierOf(text: string): string {
  if (parameterName.test(text)) return text;
  const ascii = text
    .slice(0, 200)
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')
    .slice(0, 56);
  if (ascii === '') return 'value';
  return /^\d/.test(ascii) ? `_${ascii}` : ascii;
}

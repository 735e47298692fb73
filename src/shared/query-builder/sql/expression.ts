/** SQL of a value, with how strongly its outermost operator binds, so that it is put in parentheses only where necessary. */
export interface Sql {
  readonly text: string;
  readonly strength: Strength;
  /** The conditions that an AND consists of, which can be put on lines of their own. */
  readonly conjuncts?: readonly Sql[];
}

/** From weakest to strongest, in the order that DuckDB and PostgreSQL share. */
const strengths = [
  'or',
  'and',
  'not',
  'comparison',
  'concatenation',
  'sum',
  'product',
  'time zone',
  'sign',
  'cast',
  'atom',
] as const;
export type Strength = (typeof strengths)[number];

const isStronger = (one: Strength, other: Strength): boolean =>
  strengths.indexOf(one) > strengths.indexOf(other);

/** Returns SQL that never needs parentheses: a name, a literal, a call. */
export const atom = (text: string): Sql => ({ text, strength: 'atom' });

/** Returns a number as a literal. */
export const number = (value: number | string): Sql => ({
  text: String(value),
  strength: String(value).startsWith('-') ? 'sign' : 'atom',
});

export const call = (name: string, ...values: readonly Sql[]): Sql =>
  atom(`${name}(${values.map(({ text }) => text).join(', ')})`);

export const cast = (value: Sql, type: string): Sql => ({
  text: `${within(value, 'cast')}::${type}`,
  strength: 'cast',
});

/** Returns `value operator`, such as `x IS NULL`. */
export const postfix = (value: Sql, operator: string): Sql => ({
  text: `${inside(value, 'comparison')} ${operator}`,
  strength: 'comparison',
});

export const not = (value: Sql): Sql => ({ text: `NOT ${inside(value, 'comparison')}`, strength: 'not' });
export const negative = (value: Sql): Sql => ({ text: `-${inside(value, 'sign')}`, strength: 'sign' });

const operatorStrengths = {
  '||': 'concatenation',
  '+': 'sum',
  '-': 'sum',
  '*': 'product',
  '/': 'product',
  '//': 'product',
  '%': 'product',
  'AT TIME ZONE': 'time zone',
} as const satisfies Readonly<Record<string, Strength>>;

/** Returns `left operator right`, for operators that are evaluated from left to right. */
export function operation(left: Sql, operator: keyof typeof operatorStrengths, right: Sql): Sql {
  const strength = operatorStrengths[operator];
  return { text: `${within(left, strength)} ${operator} ${inside(right, strength)}`, strength };
}

/** Returns a comparison, whose operands are never comparisons without parentheses. */
export const compare = (left: Sql, operator: string, right: Sql): Sql => ({
  text: `${inside(left, 'comparison')} ${operator} ${inside(right, 'comparison')}`,
  strength: 'comparison',
});

export const between = (value: Sql, from: Sql, to: Sql): Sql => ({
  // The engines don't read AT TIME ZONE after BETWEEN.
  text: `${inside(value, 'comparison')} BETWEEN ${inside(from, 'time zone')} AND ${inside(to, 'time zone')}`,
  strength: 'comparison',
});

/** Returns what is true if all of the conditions are; `TRUE` without any. */
export const allOf = (conditions: readonly Sql[]): Sql => ({
  ...joined(conditions, 'and', 'TRUE'),
  conjuncts: conditionsIn(conditions),
});
/** Returns what is true if one of the conditions is; `FALSE` without any. */
export const anyOf = (conditions: readonly Sql[]): Sql => joined(conditions, 'or', 'FALSE');

/** Returns the conditions that must be true, each on its own. */
export const conditionsIn = (conditions: readonly Sql[]): readonly Sql[] =>
  conditions.flatMap((condition) => condition.conjuncts ?? [condition]);

function joined(conditions: readonly Sql[], strength: 'and' | 'or', none: string): Sql {
  const [first] = conditions;
  if (first === undefined) return atom(none);
  if (conditions.length === 1) return first;
  // An AND within an OR needs no parentheses, but readers do.
  const operands = conditions.map((condition) =>
    condition.strength === 'and' && strength === 'or' ? `(${condition.text})` : within(condition, strength),
  );
  return { text: operands.join(` ${strength.toUpperCase()} `), strength };
}

/** Returns the text of an operand that may bind as strongly as its operator. */
export const within = (value: Sql, operator: Strength): string =>
  isStronger(operator, value.strength) ? `(${value.text})` : value.text;

/** Returns the text of an operand that must bind more strongly than its operator. */
const inside = (value: Sql, operator: Strength): string =>
  isStronger(value.strength, operator) ? value.text : `(${value.text})`;

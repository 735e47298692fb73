import { report, type Check } from './findings.ts';

/** The keywords of JSON Schema that schemas use for values without parts. */
export interface ValueKeywords {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  /** What a text must be, in words, if it doesn't match its pattern. */
  readonly 'x-expected'?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}

/** Returns the checks of a schema that need no others: of the type, of constants, texts and numbers. */
export function valueChecks(schema: ValueKeywords): Check[] {
  const { const: constant, enum: allowed } = schema;
  return [
    ...(constant === undefined
      ? []
      : [
          requiring(
            (value) => value === constant,
            () => messages.const(constant),
            'const',
          ),
        ]),
    ...(allowed === undefined
      ? []
      : [
          requiring(
            (value) => allowed.includes(value),
            () => messages.enum(allowed),
            'enum',
          ),
        ]),
    ...typeCheck(schema),
    ...textCheck(schema),
    ...numberChecks(schema),
  ];
}

const requiring =
  (holds: (value: unknown) => boolean, message: () => string, code: string): Check =>
  (value, findings) => {
    if (!holds(value)) report(findings, code, message());
  };

/** Whether a value has one of the types of a schema, or the schema has none. */
export function hasType({ type }: Pick<ValueKeywords, 'type'>): (value: unknown) => boolean {
  if (type === undefined) return () => true;
  const tests = [type].flat().map((name) => {
    const test = types[name];
    if (test === undefined) throw new Error(`The type ${name} is not supported.`);
    return test;
  });
  const [first, ...others] = tests;
  if (first !== undefined && others.length === 0) return first;
  return (value) => tests.some((test) => test(value));
}

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  integer: Number.isInteger,
  number: Number.isFinite,
  null: (value) => value === null,
  array: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

function typeCheck({ type }: ValueKeywords): Check[] {
  return type === undefined ? [] : [requiring(hasType({ type }), () => messages.type(type), 'type')];
}

/** Lengths are checked first: a pattern never sees a text that is too long. */
function textCheck(schema: ValueKeywords): Check[] {
  const { minLength = 0, maxLength = Infinity, pattern: textPattern } = schema;
  if (minLength === 0 && maxLength === Infinity && textPattern === undefined) return [];
  const expression = textPattern === undefined ? undefined : new RegExp(textPattern, 'u');
  return [
    (value, findings) => {
      if (typeof value !== 'string') return;
      if (isLonger(value, maxLength)) {
        report(findings, 'maxLength', messages.maxLength(maxLength));
        return;
      }
      if (minLength > 0 && !isLonger(value, minLength - 1))
        report(findings, 'minLength', messages.minLength(minLength));
      if (expression?.test(value) === false) report(findings, 'pattern', messages.pattern(schema));
    },
  ];
}

/** Lengths are counted in code points, each of one or two characters. */
const isLonger = (text: string, length: number): boolean =>
  text.length > length && (text.length > 2 * length || Array.from(text).length > length);

function numberChecks({ minimum, maximum, exclusiveMinimum }: ValueKeywords): Check[] {
  const limiting = (
    code: 'minimum' | 'maximum' | 'exclusiveMinimum',
    limit: number | undefined,
    holds: (value: number, limit: number) => boolean,
  ): Check[] =>
    limit === undefined
      ? []
      : [
          requiring(
            (value) => typeof value !== 'number' || holds(value, limit),
            () => messages[code](limit),
            code,
          ),
        ];
  return [
    ...limiting('minimum', minimum, (value, limit) => value >= limit),
    ...limiting('maximum', maximum, (value, limit) => value <= limit),
    ...limiting('exclusiveMinimum', exclusiveMinimum, (value, limit) => value > limit),
  ];
}

const count = (limit: number, noun: string): string => `${limit} ${noun}${limit === 1 ? '' : 's'}`;

const names: Readonly<Record<string, string>> = {
  array: 'an array',
  integer: 'an integer',
  object: 'an object',
};

/** What each fault says, by its code. */
export const messages = {
  required: () => 'is required',
  unknown: () => 'is not a known member',
  const: (value: unknown) => `must be ${JSON.stringify(value)}`,
  enum: (values: readonly unknown[]) => `must be one of ${values.join(', ')}`,
  type: (type: string | readonly string[]) =>
    `must be ${[type]
      .flat()
      .map((name) => names[name] ?? `a ${name}`)
      .join(' or ')}`,
  pattern: ({ pattern, 'x-expected': expected }: ValueKeywords) =>
    expected === undefined ? `must match pattern "${pattern}"` : `must be ${expected}`,
  minLength: (limit: number) => `must have at least ${count(limit, 'character')}`,
  maxLength: (limit: number) => `must have at most ${count(limit, 'character')}`,
  minItems: (limit: number) => `must have at least ${count(limit, 'element')}`,
  maxItems: (limit: number) => `must have at most ${count(limit, 'element')}`,
  uniqueItems: () => 'must not have duplicate items',
  maxProperties: (limit: number) => `must have at most ${count(limit, 'member')}`,
  minimum: (limit: number) => `must be >= ${limit}`,
  maximum: (limit: number) => `must be <= ${limit}`,
  exclusiveMinimum: (limit: number) => `must be > ${limit}`,
};

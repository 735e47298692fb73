import type { TSchema } from 'typebox';

/*
 * Schemas limit lengths and shapes, and the library reports all faults at once: it runs patterns over texts of any
 * length,
 * and checks every element of arrays of any length. This module checks the length first.
 */

/** Returns the schema with patterns that skip texts longer than the schema allows, which are faults already. */
export function withLengthsFirst(schema: TSchema): TSchema {
  // Sound because only the patterns of the copy differ.
  return copyOf(schema) as TSchema;
}

function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copyOf(member)]));
  const { pattern, maxLength } = copy;
  if (typeof pattern !== 'string') return copy;
  return { ...copy, pattern: new BoundedPattern(pattern, maxLength as number | undefined) };
}

class BoundedPattern extends RegExp {
  readonly #maxLength: number;

  constructor(pattern: string, maxLength = Infinity) {
    super(pattern, 'u');
    this.#maxLength = maxLength;
  }

  override test(text: string): boolean {
    return isLonger(text, this.#maxLength) || super.test(text);
  }
}

/** Lengths are counted in code points, each of one or two characters. */
const isLonger = (text: string, maxLength: number): boolean =>
  text.length > maxLength && (text.length > 2 * maxLength || Array.from(text).length > maxLength);

/** The properties that discriminate the branches of unions, in the whole contract. */
export const discriminators = ['kind', 'format'];

type Cut = (value: unknown) => unknown;

/**
 * Returns a function that cuts each array that is longer than the schema allows to one element more than that: it is
 * still too long, but the elements beyond aren't checked. Returns undefined if the schema limits no array.
 */
export function longArrayCutter(schema: TSchema): Cut | undefined {
  const { items, maxItems, properties, anyOf } = schema as SchemaParts;
  if (anyOf !== undefined) return cutterOfUnion(anyOf);
  if (items !== undefined) return cutterOfArray(items, maxItems);
  const cutters = Object.entries(properties ?? {}).flatMap(([name, property]) => {
    const cut = longArrayCutter(property);
    return cut === undefined ? [] : [[name, cut] as const];
  });
  if (cutters.length === 0) return undefined;
  return (value) => {
    if (!isRecord(value)) return value;
    const copy = { ...value };
    for (const [name, cut] of cutters) if (Object.hasOwn(copy, name)) copy[name] = cut(copy[name]);
    return copy;
  };
}

function cutterOfArray(items: TSchema, maxItems = Infinity): Cut | undefined {
  const cutElement = longArrayCutter(items);
  if (maxItems === Infinity && cutElement === undefined) return undefined;
  return (value) => {
    if (!Array.isArray(value)) return value;
    const elements: unknown[] = value.length > maxItems ? value.slice(0, maxItems + 1) : value;
    return cutElement === undefined ? elements : elements.map(cutElement);
  };
}

/** Selects the branch by the discriminator of the value, since another branch may allow longer arrays. */
function cutterOfUnion(branches: readonly TSchema[]): Cut | undefined {
  const cutters = branches.map((branch) => ({ branch, cut: longArrayCutter(branch) }));
  if (cutters.every(({ cut }) => cut === undefined)) return undefined;
  return (value) => {
    const [selected, ...others] = cutters.filter(({ branch }) => isRecord(value) && isNamedBy(value, branch));
    return others.length === 0 && selected?.cut !== undefined ? selected.cut(value) : value;
  };
}

const isNamedBy = (value: Readonly<Record<string, unknown>>, { properties }: SchemaParts): boolean =>
  discriminators.some((name) => {
    const known = properties?.[name];
    return known !== undefined && 'const' in known && known['const'] === value[name];
  });

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface SchemaParts {
  readonly items?: TSchema;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly anyOf?: readonly TSchema[];
}

import type { Json, JsonObject } from './generators.ts';

/** The requirements of a value, written down apart from the contract's schemas, so that the tests find a change to them. */
type Shape =
  | { readonly kind: 'string'; readonly isNonEmpty?: true }
  | { readonly kind: 'provider' | 'boolean' | 'integer' | 'free' }
  | { readonly kind: 'list'; readonly of: Shape; readonly isNonEmpty?: true }
  | {
      readonly kind: 'object';
      readonly required: Record<string, Shape>;
      readonly optional?: Record<string, Shape>;
    };

const aString: Shape = { kind: 'string' };
const nonEmpty: Shape = { kind: 'string', isNonEmpty: true };
const anInteger: Shape = { kind: 'integer' };

export const configurationShape: Shape = {
  kind: 'object',
  required: {
    provider: { kind: 'provider' },
    clientId: nonEmpty,
    emailDomains: { kind: 'list', of: nonEmpty, isNonEmpty: true },
    enabled: { kind: 'boolean' },
  },
  optional: { clientSecret: aString, tenantId: aString, discoveryUrl: aString },
};

const widgetShape: Shape = {
  kind: 'object',
  required: { reportId: aString },
  optional: {
    layout: { kind: 'object', required: { x: anInteger, y: anInteger, w: anInteger, h: anInteger } },
    config: { kind: 'free' },
  },
};

export const dashboardShape: Shape = {
  kind: 'object',
  required: { name: nonEmpty },
  optional: { description: aString, organizationId: aString, widgets: { kind: 'list', of: widgetShape } },
};

/** One way to break a body: the value at `path` replaced, or removed if `wrong` is undefined. */
interface Break {
  readonly path: readonly (string | number)[];
  readonly wrong: Json | undefined;
  readonly codes: readonly string[];
}

/** Values of every JSON type, with the kinds of shapes for which they are valid. */
const samples: readonly [Json, readonly Shape['kind'][]][] = [
  [null, []],
  ['', ['string']],
  ['1', ['string']],
  ['true', ['string']],
  [0, ['integer']],
  [1.5, []],
  [-1e-7, []],
  [true, ['boolean']],
  [false, ['boolean']],
  [[], ['list']],
  [['idp_ad'], ['list']],
  [{}, ['object', 'free']],
  [{ length: 1, 0: 'x' }, ['object', 'free']],
];

/** Returns every way to break a valid value, at its path and at those inside it. */
export function breaksOf(shape: Shape, valid: Json | undefined, path: Break['path'] = []): Break[] {
  const typeCodes = shape.kind === 'provider' ? ['const', 'type'] : ['type'];
  const fits = shape.kind === 'provider' ? 'string' : shape.kind;
  const breaks: Break[] = samples
    .filter(([, kinds]) => !kinds.includes(fits))
    .map(([wrong]) => ({ path, wrong, codes: typeCodes }));
  switch (shape.kind) {
    case 'provider':
      for (const wrong of ['', 'idp_AD', 'idp_ad ', 'google']) breaks.push({ path, wrong, codes: ['const'] });
      return breaks;
    case 'string':
      if (shape.isNonEmpty) breaks.push({ path, wrong: '', codes: ['minLength'] });
      return breaks;
    case 'list': {
      if (shape.isNonEmpty) breaks.push({ path, wrong: [], codes: ['minItems'] });
      const elements = valid as Json[];
      return [
        ...breaks,
        ...elements.flatMap((element, index) => breaksOf(shape.of, element, [...path, index])),
      ];
    }
    case 'object': {
      const members = valid as JsonObject;
      for (const [name, inner] of Object.entries({ ...shape.required, ...shape.optional })) {
        if (name in shape.required)
          breaks.push({ path: [...path, name], wrong: undefined, codes: ['required'] });
        if (members[name] !== undefined) breaks.push(...breaksOf(inner, members[name], [...path, name]));
        // A field that is absent can only be added with an invalid value.
        else
          breaks.push(
            ...breaksOf(inner, inner.kind === 'list' ? [] : {}, [...path, name]).filter(
              isAt(path.length + 1),
            ),
          );
      }
      return breaks;
    }
    default:
      return breaks;
  }
}

const isAt =
  (depth: number) =>
  (found: Break): boolean =>
    found.path.length === depth && found.wrong !== undefined;

/** Chooses breaks, none of which is inside another. */
export function choose(breaks: readonly Break[], picks: readonly number[]): Break[] {
  const chosen: Break[] = [];
  for (const pick of picks) {
    const candidate = breaks[pick % breaks.length];
    if (candidate && !chosen.some((other) => isWithin(candidate, other) || isWithin(other, candidate))) {
      chosen.push(candidate);
    }
  }
  return chosen;
}

const isWithin = (inner: Break, outer: Break): boolean =>
  outer.path.every((key, index) => inner.path[index] === key);

/** Returns a body that is broken in one way, or undefined if the whole body is removed. */
export function broken(body: Json, { path, wrong }: Break): Json | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return wrong;
  const copy = (Array.isArray(body) ? [...body] : { ...(body as JsonObject) }) as JsonObject;
  const inner = broken(copy[key] ?? null, { path: rest, wrong, codes: [] });
  if (inner === undefined) Reflect.deleteProperty(copy, key);
  else copy[key] = inner;
  return copy;
}

/** Returns the faults of a body that is broken in these ways, as tests write them. */
export const faultsOf = (breaks: readonly Break[]): string[] =>
  breaks
    .flatMap(({ path, codes }) => codes.map((code) => `${path.map((key) => `/${key}`).join('')} ${code}`))
    .toSorted();

import fc from 'fast-check';
import { parseJson } from '../../../src/server/base/texts/json.ts';

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
export type JsonObject = Record<string, Json>;

/** Any text that I-JSON allows and every database can store, with more texts that often cause bugs. */
const text: fc.Arbitrary<string> = fc
  .oneof(
    { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
    { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
    fc.constantFrom(
      ' ',
      '\u0301',
      '\u200D',
      '\uFEFF',
      '\u{E0001}',
      '\uFFFF',
      '\u2028',
      '"\\',
      '%00',
      '~1/~0',
    ),
    fc.constantFrom(
      'null',
      'undefined',
      'constructor',
      'toJSON',
      '__defineGetter__',
      'id',
      'length',
      '$ref',
      "'--",
    ),
  )
  .filter((value) => !value.includes('\0'));

const someText = text.filter((value) => value !== '');

const memberName = text.filter((name) => name !== '__proto__' && name !== 'constructor');

const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(Number.MAX_VALUE, -Number.MAX_VALUE, Number.MIN_VALUE, 2 ** 53 + 2, 1e21, 0.1),
);

const { value, object } = fc.letrec<{ value: Json; object: JsonObject; list: Json[] }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(text, number, fc.boolean(), fc.constant(null)),
    tie('object'),
    tie('list'),
  ),
  object: fc.dictionary(memberName, tie('value'), { maxKeys: 5, noNullPrototype: true }),
  list: fc.array(tie('value'), { maxLength: 5 }),
}));

/** As deep as a body can be nested: the body, its widgets, a widget and `config` are four of a hundred levels. */
const deep: fc.Arbitrary<JsonObject> = fc
  .oneof(fc.constant(96), fc.integer({ min: 1, max: 96 }))
  .map((depth) => ({ deep: Array.from({ length: depth }).reduce<Json>((inner) => [inner], 'inside') }));

const integer = fc.oneof(
  fc.integer({ min: -20, max: 20 }),
  fc.maxSafeInteger(),
  fc.constantFrom(Number.MAX_VALUE, -Number.MAX_VALUE, 1e21, -1e300, 2 ** 53, Number.MIN_SAFE_INTEGER),
);

/** Fields that the contract does not name, which are ignored. */
const unknownBeside = (...known: string[]): fc.Arbitrary<JsonObject> =>
  fc
    .dictionary(
      fc.oneof(
        memberName,
        fc.constantFrom('id', 'userId', 'createdAt', 'updatedAt', 'hasSecret', 'version', 'role'),
      ),
      value,
      { maxKeys: 3, noNullPrototype: true },
    )
    .map((members) => Object.fromEntries(Object.entries(members).filter(([name]) => !known.includes(name))));

const withUnknown = <T extends object>(known: fc.Arbitrary<T>, ...names: string[]): fc.Arbitrary<T> =>
  fc.tuple(unknownBeside(...names), known).map(([unknown, members]) => ({ ...unknown, ...members }));

const layout = withUnknown(fc.record({ x: integer, y: integer, w: integer, h: integer }), 'x', 'y', 'w', 'h');

const widget = withUnknown(
  fc.record(
    { reportId: text, layout, config: fc.oneof(object, object, deep) },
    { requiredKeys: ['reportId'] },
  ),
  'reportId',
  'layout',
  'config',
);

export const dashboard = withUnknown(
  fc.record(
    { name: someText, description: text, widgets: fc.array(widget, { maxLength: 6 }) },
    { requiredKeys: ['name'] },
  ),
  'name',
  'description',
  'organizationId',
  'widgets',
);

/** An email domain as it is sent and as it is stored; undefined if only the server knows. */
const emailDomain: fc.Arbitrary<{ sent: string; stored: string | undefined }> = fc.oneof(
  fc
    .tuple(
      fc.stringMatching(/^[a-zA-Z0-9]{1,8}(-[a-zA-Z0-9]{1,3})?\.(Example|COM|test)$/),
      fc.constantFrom('', ' ', '\t', '\u00A0 '),
    )
    .map(([name, space]) => ({ sent: `${space}${name}${space}`, stored: name.toLowerCase() })),
  fc
    .stringMatching(/^[A-Za-z]{1,5}[@_/: ][A-Za-z]{1,5}$/)
    .map((name) => ({ sent: name, stored: name.toLowerCase() })),
  fc.constantFrom(
    { sent: 'BÜCHER.example', stored: 'xn--bcher-kva.example' },
    { sent: 'bücher.example ', stored: 'xn--bcher-kva.example' },
    { sent: '例え.テスト', stored: 'xn--r8jz45g.xn--zckzah' },
    { sent: 'a'.repeat(64), stored: 'a'.repeat(64) },
  ),
  someText.map((sent) => ({ sent, stored: undefined })),
);

/** With few different values, so that a write often repeats values of the previous one. */
export const configuration = withUnknown(
  fc.record(
    {
      provider: fc.constant('idp_ad'),
      clientId: fc.oneof(fc.constantFrom('client', 'other'), someText),
      emailDomains: fc.array(emailDomain, { minLength: 1, maxLength: 6 }),
      enabled: fc.boolean(),
      clientSecret: fc.oneof(fc.constant(''), text),
      tenantId: fc.oneof(fc.constantFrom('tenant', '', '..', 'a/b c'), text),
      discoveryUrl: fc.oneof(fc.constantFrom('https://idp.example/x', ''), text),
    },
    { requiredKeys: ['provider', 'clientId', 'emailDomains', 'enabled'] },
  ),
  'provider',
  'clientId',
  'emailDomains',
  'enabled',
  'clientSecret',
  'tenantId',
  'discoveryUrl',
);

/** Ways to write the same JSON value. */
export const spelling: fc.Arbitrary<(body: unknown) => string> = fc.constantFrom(
  (body: unknown) => JSON.stringify(body),
  (body: unknown) => `\r\n${JSON.stringify(body, null, '\t')} `,
  (body: unknown) =>
    JSON.stringify(body).replaceAll(
      /[^\x20-\x7e]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
);

/** Returns a value as it is after JSON: -0 becomes 0. */
export const carried = <T>(sent: T): T => parseJson(JSON.stringify(sent)) as T;

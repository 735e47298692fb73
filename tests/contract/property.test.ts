import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseJson } from '../../src/server/base/json.ts';
import { describeOnBothEngines, problemOf, startTestServer } from '../support/test-server.ts';

const at = '2026-11-21T09:00:00.000Z';
const runs = { numRuns: 100 };

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
type JsonObject = Record<string, Json>;

/** Any text that I-JSON allows and every database can store, more often one that some program trips over. */
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

/** As deep as a body may nest: the body, its widgets, one of them and `config` are four of a hundred levels. */
const deep: fc.Arbitrary<JsonObject> = fc
  .oneof(fc.constant(96), fc.integer({ min: 1, max: 96 }))
  .map((depth) => ({ deep: Array.from({ length: depth }).reduce<Json>((inner) => [inner], 'inside') }));

const integer = fc.oneof(
  fc.integer({ min: -20, max: 20 }),
  fc.maxSafeInteger(),
  fc.constantFrom(Number.MAX_VALUE, -Number.MAX_VALUE, 1e21, -1e300, 2 ** 53, Number.MIN_SAFE_INTEGER),
);

/** Members that the contract does not name: they are ignored. */
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

const dashboard = withUnknown(
  fc.record(
    { name: someText, description: text, widgets: fc.array(widget, { maxLength: 6 }) },
    { requiredKeys: ['name'] },
  ),
  'name',
  'description',
  'organizationId',
  'widgets',
);

/** What is sent as an e-mail domain, and what is stored of it; undefined where only the server can tell. */
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

/** With few values each, so that one write often repeats what the write before had. */
const configuration = withUnknown(
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
const spelling: fc.Arbitrary<(body: unknown) => string> = fc.constantFrom(
  (body: unknown) => JSON.stringify(body),
  (body: unknown) => `\r\n${JSON.stringify(body, null, '\t')} `,
  (body: unknown) =>
    JSON.stringify(body).replaceAll(
      /[^\x20-\x7e]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
);

/** What JSON carries of a value: -0 arrives as 0. */
const carried = <T>(sent: T): T => parseJson(JSON.stringify(sent)) as T;

describeOnBothEngines('any body that the contract allows', (engine) => {
  test('creates a dashboard that comes back as it was sent', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const organizationId = await server.createOrganization(ada);
    await fc.assert(
      fc.asyncProperty(dashboard, fc.boolean(), spelling, async (sent, isShared, spell) => {
        const organization = isShared ? { organizationId } : {};
        const created = await server.call('POST /api/dashboards', {
          as: ada,
          body: spell({ ...sent, ...organization }),
        });
        assert.equal(created.status, 201, created.text);
        const { id, widgets } = created.body;
        for (const [index, { layout: placed }] of widgets.entries()) {
          if (sent.widgets?.[index]?.layout !== undefined) continue;
          assert.ok(
            [placed.x, placed.y].every((cell) => Number.isInteger(cell) && cell >= 0),
            JSON.stringify(placed),
          );
          assert.deepEqual([placed.x <= 6, placed.w, placed.h], [true, 6, 4]);
        }
        const expected = {
          id,
          userId: ada.id,
          ...organization,
          name: sent.name,
          ...(sent.description !== undefined && { description: sent.description }),
          widgets: carried(sent.widgets ?? []).map(({ reportId, layout: given, config }, index) => ({
            id: widgets[index].id,
            reportId,
            layout: given ? { x: given.x, y: given.y, w: given.w, h: given.h } : widgets[index].layout,
            config: config ?? {},
          })),
          createdAt: at,
          updatedAt: at,
        };
        assert.deepEqual(created.body, expected);
        const inOrder = (all: { config: unknown }[]) => all.map(({ config }) => JSON.stringify(config));
        assert.deepEqual(inOrder(widgets), inOrder(expected.widgets), 'the order of members');
        const read = await server.call(`GET /api/dashboards/${id}`, { as: ada });
        assert.equal(read.text, created.text);
      }),
      runs,
    );
  });

  test('places widgets behind those that reach past the end of numbers', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const layouts = [
      { x: 0, y: 0, w: 12, h: 1.5e308 },
      { x: 0, y: 1e308, w: 12, h: 1e308 },
      undefined,
      undefined,
    ];
    const created = await server.call('POST /api/dashboards', {
      as: ada,
      body: { name: 'D', widgets: layouts.map((layout) => ({ reportId: 'r', layout })) },
    });
    assert.equal(created.status, 201, created.text);
    for (const { layout } of created.body.widgets) {
      assert.ok(
        Object.values(layout).every((cell) => Number.isInteger(cell)),
        JSON.stringify(layout),
      );
    }
    const read = await server.call(`GET /api/dashboards/${created.body.id}`, { as: ada });
    assert.equal(read.text, created.text);
  });

  test('creates or replaces a configuration that comes back as the tables say', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    await fc.assert(
      fc.asyncProperty(
        fc.array(configuration, { minLength: 1, maxLength: 4 }),
        spelling,
        async (writes, spell) => {
          const organizationId = await server.createOrganization(ada);
          const path = `/api/sso/orgs/${organizationId}/config`;
          let id: string | undefined;
          let party = '';
          let hasSecret = false;
          for (const sent of writes) {
            const body = spell({ ...sent, emailDomains: sent.emailDomains.map((domain) => domain.sent) });
            const answer = await server.call(`POST ${path}`, { as: ada, body });
            assert.equal(answer.status, 200, answer.text);
            id ??= answer.body.id;
            const tenant = encodeURIComponent(sent.tenantId ?? 'organizations');
            const discoveryUrl =
              sent.discoveryUrl ??
              `https://login.microsoftonline.com/${tenant}/v2.0/.well-known/openid-configuration`;
            const nextParty = JSON.stringify([sent.clientId, sent.tenantId ?? null, discoveryUrl]);
            hasSecret =
              sent.clientSecret === undefined ? hasSecret && nextParty === party : sent.clientSecret !== '';
            party = nextParty;
            const { emailDomains } = answer.body;
            const areAllKnown = sent.emailDomains.every(({ stored }) => stored !== undefined);
            assert.deepEqual(answer.body, {
              id,
              organizationId,
              provider: 'idp_ad',
              clientId: sent.clientId,
              ...(sent.tenantId !== undefined && { tenantId: sent.tenantId }),
              discoveryUrl,
              emailDomains: areAllKnown
                ? [...new Set(sent.emailDomains.map(({ stored }) => stored))]
                : emailDomains,
              enabled: sent.enabled,
              hasSecret,
              createdAt: at,
              updatedAt: at,
            });
            const read = await server.call(`GET ${path}`, { as: ada });
            assert.equal(read.text, answer.text);
            const again = await server.call(`POST ${path}`, { as: ada, body: read.text });
            assert.deepEqual(again.body, read.body, 'what was read can be sent again');
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});

/** What a value must be, as the tables of section 2 of the seed say. */
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

const configurationShape: Shape = {
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

const dashboardShape: Shape = {
  kind: 'object',
  required: { name: nonEmpty },
  optional: { description: aString, organizationId: aString, widgets: { kind: 'list', of: widgetShape } },
};

/** One way to break a body: the value at `path` replaced, or taken out when `wrong` is undefined. */
interface Break {
  readonly path: readonly (string | number)[];
  readonly wrong: Json | undefined;
  readonly codes: readonly string[];
}

/** Values of every kind that JSON has, by the kinds of shapes they fit. */
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

/** Every way to break a valid value, at its path and at those inside it. */
function breaksOf(shape: Shape, valid: Json | undefined, path: Break['path'] = []): Break[] {
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
        // What is absent can only be there and wrong, as a whole.
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

/** Chooses breaks of which none lies inside another. */
function choose(breaks: readonly Break[], picks: readonly number[]): Break[] {
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

function broken(body: Json, { path, wrong }: Break): Json | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return wrong;
  const copy = (Array.isArray(body) ? [...body] : { ...(body as JsonObject) }) as JsonObject;
  const inner = broken(copy[key] ?? null, { path: rest, wrong, codes: [] });
  if (inner === undefined) Reflect.deleteProperty(copy, key);
  else copy[key] = inner;
  return copy;
}

const faultsOf = (breaks: readonly Break[]): string[] =>
  breaks
    .flatMap(({ path, codes }) => codes.map((code) => `${path.map((key) => `/${key}`).join('')} ${code}`))
    .toSorted();

const picks = fc.array(fc.nat(100_000), { minLength: 1, maxLength: 12 });

describeOnBothEngines('any body that breaks the contract', (engine) => {
  for (const { name, shape, valid, line } of [
    { name: 'a dashboard', shape: dashboardShape, valid: dashboard, line: 'POST /api/dashboards' },
    {
      name: 'a configuration',
      shape: configurationShape,
      valid: configuration.map((sent) => ({
        ...sent,
        emailDomains: sent.emailDomains.map((domain) => domain.sent),
      })),
      line: 'POST /api/sso/orgs/{orgId}/config',
    },
  ]) {
    test(`of ${name} is a 400 that names each fault, and nothing is stored`, async (context) => {
      const server = await startTestServer(context, engine);
      const ada = await server.createPerson('Ada');
      const organizationId = await server.createOrganization(ada);
      const request = line.replace('{orgId}', organizationId);
      const seen = new Set<string>();
      await fc.assert(
        fc.asyncProperty(valid, picks, async (body, numbers) => {
          const chosen = choose(breaksOf(shape, carried(body)), numbers);
          const sent = chosen.reduce<Json>(
            (partly, next) => broken(partly, next) as Json,
            carried(body) as Json,
          );
          const faults = faultsOf(chosen);
          const answer = await server.call(request, { as: ada, body: JSON.stringify(sent) });
          assert.deepEqual(problemOf(answer), { status: 400, code: 'invalid_body', faults });
          for (const fault of faults) seen.add(fault.replaceAll(/\d+/g, '*'));
        }),
        runs,
      );
      assert.ok(seen.size > 10, `${[...seen].join('\n')} is all that was broken`);
      assert.deepEqual((await server.call('GET /api/dashboards', { as: ada })).body, { items: [] });
      const stored = await server.call(`GET /api/sso/orgs/${organizationId}/config`, { as: ada });
      assert.equal(stored.status, 404);
    });
  }

  test('in more than a hundred places is told a hundred of them', async (context) => {
    const server = await startTestServer(context, engine);
    const ada = await server.createPerson('Ada');
    const widgets = Array.from({ length: 150 }, () => ({}));
    const { status, body } = await server.call('POST /api/dashboards', {
      as: ada,
      body: { name: 'D', widgets },
    });
    assert.equal(status, 400);
    const pointers = body.errors.map(({ pointer }: { pointer: string }) => pointer);
    assert.deepEqual(
      pointers,
      Array.from({ length: 100 }, (_, index) => `/widgets/${index}/reportId`),
    );
  });
});

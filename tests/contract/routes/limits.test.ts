import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TSchema } from 'typebox';
import type { Keywords } from '#contract/validation/checks.ts';
import { routes } from '#contract/routes.ts';
import { faultFinder } from '#contract/validation/fault-finder.ts';

/** The operations of the published contract, which names no limits: only the size of the body limits what they accept. */
const published = ['createOrUpdateSsoConfiguration', 'createDashboard'];

/** The dashboards in requests, and a name in one: what a published operation has created can be saved again. */
const boundedByBody = [
  'createProposal body.dashboard',
  'replaceDashboard body',
  'updateDashboard body',
  'duplicateDashboard body.name',
  'importDashboards body.documents[]|1',
  'createDashboardInFolder body',
];

interface Found {
  readonly unlimited: string[];
  readonly bounded: string[];
}

describe('every text, list and free-form object of a request has a limit', () => {
  test('in its schema, apart from dashboards, which the size of the body limits', () => {
    const found: Found = { unlimited: [], bounded: [] };
    for (const { id, body, query, headers } of routes) {
      if (published.includes(id)) continue;
      for (const [part, schema] of Object.entries({ body, query, headers }))
        if (schema !== undefined) search(schema, `${id} ${part}`, found);
    }
    assert.deepEqual(found, { unlimited: [], bounded: boundedByBody });
  });

  for (const { name, schema, expected } of [
    { name: 'a text', schema: { type: 'string' }, expected: ['x'] },
    { name: 'a text or null', schema: { type: ['string', 'null'] }, expected: ['x'] },
    { name: 'a repeated pattern', schema: { type: 'string', pattern: '^[a*]\\++$' }, expected: ['x'] },
    { name: 'a pattern of a part', schema: { type: 'string', pattern: '^a|b$' }, expected: ['x'] },
    { name: 'a bounded pattern', schema: { type: 'string', pattern: '^([a+]|\\*){2,3}$' }, expected: [] },
    { name: 'a list', schema: { type: 'array', items: { enum: ['a'] } }, expected: ['x'] },
    {
      name: 'the texts of a list',
      schema: { type: 'array', items: { type: 'string' }, maxItems: 1 },
      expected: ['x[]'],
    },
    { name: 'a free-form object', schema: { type: 'object' }, expected: ['x'] },
    { name: 'a record', schema: { type: 'object', additionalProperties: { type: 'null' } }, expected: ['x'] },
    {
      name: 'a member',
      schema: { type: 'object', properties: { a: { type: 'string' } } },
      expected: ['x.a'],
    },
    { name: 'a branch', schema: { anyOf: [{ type: 'null' }, { type: 'string' }] }, expected: ['x|1'] },
    { name: 'anything', schema: {}, expected: ['x'] },
  ]) {
    test(`the search finds whether there is one for ${name}`, () => {
      const found: Found = { unlimited: [], bounded: [] };
      search(schema, 'x', found);
      assert.deepEqual(found.unlimited, expected);
    });
  }

  test('a text at a limit is accepted, and a longer one is a fault at its place', () => {
    const { body } = routes.find(({ id }) => id === 'previewReport') ?? {};
    assert.ok(body !== undefined);
    const faultsOf = faultFinder(body);
    const preview = (text: string) => ({
      organizationId: 'o',
      dataSourceId: 'd',
      query: 'q',
      parameters: [{ name: 'p', type: 'list', default: [text], allowed: { values: [text] } }],
    });
    assert.deepEqual(faultsOf(preview('é'.repeat(10_000))), []);
    assert.deepEqual(
      faultsOf(preview('é'.repeat(10_001))).map(({ pointer, code }) => [pointer, code]),
      [
        ['/parameters/0/default/0', 'maxLength'],
        ['/parameters/0/allowed/values/0', 'maxLength'],
      ],
    );
  });
});

/** Adds the places in a schema without a limit, and those that the size of the body limits. */
function search(schema: TSchema, at: string, found: Found): void {
  if ('x-bounded-by' in schema) {
    found.bounded.push(at);
    return;
  }
  // Sound because the contract has no other keywords.
  const keywords = schema as Keywords;
  const { const: constant, enum: allowed, anyOf = [], items, properties = {} } = keywords;
  if (constant !== undefined || allowed !== undefined) return;
  if (!isLimited(keywords)) found.unlimited.push(at);
  for (const [index, branch] of anyOf.entries()) search(branch, `${at}|${index}`, found);
  if (items !== undefined) search(items, `${at}[]`, found);
  for (const [name, member] of Object.entries(properties)) search(member, `${at}.${name}`, found);
  for (const member of Object.values(keywords.patternProperties ?? {})) search(member, `${at}.*`, found);
  if (typeof keywords.additionalProperties === 'object')
    search(keywords.additionalProperties, `${at}.*`, found);
}

function isLimited(schema: Keywords): boolean {
  const { type, anyOf, pattern, maxLength, maxItems, maxProperties, properties, additionalProperties } =
    schema;
  const types = [type ?? []].flat();
  if (types.length === 0 && anyOf === undefined) return false;
  // An object that says nothing about other members has none: requests are validated with `closed` schemas.
  const isClosed =
    properties !== undefined && (additionalProperties === undefined || additionalProperties === false);
  return (
    (!types.includes('string') || maxLength !== undefined || (pattern !== undefined && isBounded(pattern))) &&
    (!types.includes('array') || maxItems !== undefined) &&
    (!types.includes('object') || maxProperties !== undefined || isClosed)
  );
}

/** Whether a pattern is of the whole text, and repeats nothing without a limit. */
function isBounded(pattern: string): boolean {
  const plain = pattern.replaceAll(/\\./g, 'x').replaceAll(/\[[^\]]*\]/g, 'x');
  let depth = 0;
  for (const character of plain) {
    if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (character === '|' && depth === 0) return false;
  }
  return plain.startsWith('^') && plain.endsWith('$') && !/[*+]|\{\d+,\}/.test(plain);
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { DialectName } from '#shared/query-builder/dialects/dialects.ts';
import { generateQuery } from '#shared/query-builder/generate.ts';
import type { QueryStructure } from '#shared/query-builder/structure.ts';
import { startNewsroom } from '../../../tests/support/reports/newsroom.ts';
import { roundsOr } from '../../../tests/support/rounds.ts';
import { describeOnUsualEngine, problemOf } from '../../../tests/support/server/test-server.ts';
import { reportEditOf } from '../../../tests/support/edits.ts';
import { prepare } from '../storage/prepared-query.ts';

const structure: QueryStructure = {
  table: {
    schema: 'main',
    name: 'sales',
    columns: [
      { name: 'region', type: 'text' },
      { name: 'amount', type: 'double' },
    ],
  },
  filters: [{ column: { name: 'region' }, operator: 'is', values: ['north'] }],
  groups: [{ column: { name: 'region' } }],
  measures: [{ name: 'Total', aggregate: 'sum', column: { name: 'amount' } }],
};

function built(of: QueryStructure) {
  const generated = generateQuery(of, 'duckdb');
  assert.ok('query' in generated);
  const { sql, parameters } = generated.query;
  return { query: sql, structure: of, parameters: [...parameters] };
}

const replaceContent = prepare((db, p: { id: string; content: string }) =>
  db.updateTable('reports').set({ content: p.content }).where('id', '=', p.id),
);

describeOnUsualEngine('a built query', (engine) => {
  test('is stored with its structure, which runs and survives export and import', async (context) => {
    const { server, owner: as, organizationId, id: dataSourceId, run } = await startNewsroom(context, engine);
    const body = { organizationId, dataSourceId, name: 'Sales', ...built(structure) };
    const created = await server.call('POST /api/reports', { as, body });
    assert.deepEqual([created.status, created.body.structure], [201, structure]);
    assert.deepEqual((await run(created.body)).body.rows, [['north', 30.5]]);
    const other = await run(created.body, { parameters: { region: 'south' } });
    assert.deepEqual(other.body.rows, [['south', 70]]);

    const widgets = [{ reportId: created.body.id }];
    await server.call('POST /api/dashboards', { as, body: { organizationId, name: 'Board', widgets } });
    const path = `/api/organizations/${organizationId}/dashboards`;
    const { text } = await server.call(`GET ${path}/export`, { as });
    const documents = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(documents[0].structure, structure);
    const imported = await server.call(`POST ${path}/import`, { as, body: { documents } });
    assert.deepEqual(
      imported.body.items.map(({ action }: { action: string }) => action),
      ['unchanged', 'unchanged'],
    );
    const edited = [{ ...documents[0], query: 'SELECT 1', parameters: [] }];
    const changed = await server.call(`POST ${path}/import`, { as, body: { documents: edited } });
    assert.deepEqual(changed.body.items[0].changes, [
      'Query changed.',
      'Steps of the query removed.',
      'Parameters changed.',
    ]);
  });

  test('that an earlier version of Atrium has stored stays as it is', async (context) => {
    const { server, owner: as, save } = await startNewsroom(context, engine);
    const report = await save(built(structure));
    const path = `/api/reports/${report.id}`;
    // As another version might have generated it.
    const query = `${report.query} -- earlier`;
    const { name, dataSourceId, visualization, cacheSeconds, parameters } = report;
    const content = { name, dataSourceId, query, structure, parameters, visualization, cacheSeconds };
    await server.database.write((transaction) =>
      transaction.run(replaceContent, { id: report.id, content: JSON.stringify(content) }),
    );
    const put = (edit: object, version: number) =>
      server.call(`PUT ${path}`, {
        as,
        body: { ...reportEditOf(report), query, ...edit },
        headers: { 'if-match': `"${version}"` },
      });
    assert.equal((await put({ name: 'Renamed' }, 1)).status, 200);
    const { status } = await put({ query: `${query} and edited` }, 2);
    assert.equal(status, 400);
  });

  test('must generate the query and the parameters of its report', async (context) => {
    const { server, owner: as, organizationId, id: dataSourceId } = await startNewsroom(context, engine);
    const create = async (content: object) =>
      problemOf(
        await server.call('POST /api/reports', {
          as,
          body: { organizationId, dataSourceId, name: 'Sales', ...built(structure), ...content },
        }),
      );
    const invalid = { status: 400, code: 'invalid_body' };
    assert.deepEqual(await create({ query: `${built(structure).query} ` }), {
      ...invalid,
      faults: ['/query structure'],
    });
    assert.deepEqual(await create({ parameters: [{ name: 'region', type: 'list', default: ['south'] }] }), {
      ...invalid,
      faults: ['/parameters structure'],
    });
    assert.deepEqual(
      await create({ structure: { ...structure, groups: [{ column: { name: 'day' } }], limit: 0 } }),
      { ...invalid, faults: ['/structure/limit minimum'] },
    );
    const { faults } = await create({ structure: { ...structure, groups: [{ column: { name: 'day' } }] } });
    assert.deepEqual(faults, ['/structure/groups/0/column structure']);
  });

  test('with a hundred thousand faults is refused with the first of them', async (context) => {
    const { server, owner: as, organizationId, id: dataSourceId } = await startNewsroom(context, engine);
    const any = Array.from({ length: 100 }, () => Array.from({ length: 20 }, () => ({})));
    const filters = Array.from({ length: 50 }, () => ({ any }));
    const body = { organizationId, dataSourceId, name: 'Sales', query: 'SELECT 1' };
    const refused = await server.call('POST /api/reports', {
      as,
      body: { ...body, structure: { table: structure.table, filters } },
    });
    assert.equal(refused.status, 400, refused.text);
    assert.equal(refused.body.errors.length, 100);
  });

  test('is merged as a whole, and given up when its SQL is edited', async (context) => {
    const { server, owner: as, save } = await startNewsroom(context, engine);
    const report = await save(built(structure));
    const put = (edit: object, version: number) =>
      server.call(`PUT /api/reports/${report.id}`, {
        as,
        body: { ...reportEditOf(report), ...edit },
        headers: { 'if-match': `"${version}"` },
      });
    const south = built({
      ...structure,
      filters: [{ column: { name: 'region' }, operator: 'is', values: ['south'] }],
    });
    assert.equal((await put(south, 1)).status, 200);
    const limited = await put(built({ ...structure, limit: 5 }), 1);
    assert.deepEqual(problemOf(limited), { status: 412, code: 'edit_conflict' });
    assert.deepEqual(
      limited.body.conflicts.map(({ pointer }: { pointer: string }) => pointer),
      ['/query', '/structure', '/parameters'],
    );
    const renamed = await put({ name: 'Other' }, 1);
    assert.deepEqual([renamed.status, renamed.body.structure], [200, south.structure]);
    const plain = { ...reportEditOf(renamed.body), structure: undefined, query: 'SELECT 1', parameters: [] };
    const saved = await server.call(`PUT /api/reports/${report.id}`, {
      as,
      body: plain,
      headers: { 'if-match': String(renamed.headers.etag) },
    });
    assert.deepEqual([saved.status, saved.body.structure], [200, undefined]);
  });
});

/** Structures that the schema allows, with members that don't belong together. */
const text = fc.constantFrom(
  'region',
  'amount',
  '',
  '__proto__',
  "'; DROP",
  '[amount] +',
  'sum([amount])',
  '{{x}}',
);
const value = fc.oneof(text, fc.double(), fc.boolean());
const column = fc.record({ name: text, table: text }, { requiredKeys: ['name'] });
const table = fc.record({
  schema: text,
  name: text,
  columns: fc.array(fc.record({ name: text, type: fc.constantFrom('text', 'double', 'instant', 'list') })),
});
const granularity = fc.constantFrom('month', 'day_of_week', 'minute');
const grouping = { granularity, binWidth: fc.constantFrom(1e-300, 1, 1e300) };
const condition = fc.record(
  {
    formula: text,
    column,
    parameter: text,
    isOptional: fc.boolean(),
    operator: fc.constantFrom('is', 'is_not', 'contains', 'between', 'relative', 'in_group', 'is_empty'),
    values: fc.array(value, { maxLength: 3 }),
    text,
    from: value,
    to: value,
    direction: fc.constantFrom('last', 'this', 'next'),
    count: fc.integer({ min: 1, max: 10_000 }),
    unit: fc.constantFrom('day', 'year'),
    includesCurrent: fc.boolean(),
    value,
    ...grouping,
  },
  { requiredKeys: [] },
);
const filters = fc.array(
  fc.oneof(condition, fc.record({ any: fc.array(fc.array(condition, { maxLength: 2 }), { maxLength: 2 }) })),
  { maxLength: 3 },
);
const few = { maxLength: 3 };
const anyStructure = fc.record(
  {
    table,
    joins: fc.array(
      fc.record({
        kind: fc.constantFrom('left', 'inner'),
        table,
        as: text,
        on: fc.array(fc.record({ left: column, right: text }), few),
      }),
      few,
    ),
    customColumns: fc.array(fc.record({ name: text, formula: text }), few),
    filters,
    columns: fc.array(column, few),
    groups: fc.array(fc.record({ column, name: text, ...grouping }, { requiredKeys: ['column'] }), few),
    measures: fc.array(
      fc.record(
        {
          name: text,
          aggregate: fc.constantFrom('count', 'sum', 'percentile', 'formula', 'median'),
          column,
          percent: fc.double(),
          formula: text,
          comparison: fc.constantFrom('change', 'share_of_total', 'running_total'),
        },
        { requiredKeys: ['name', 'aggregate'] },
      ),
      few,
    ),
    resultFilters: filters,
    sort: fc.array(fc.record({ name: text, isDescending: fc.boolean() }), few),
    limit: fc.double(),
    timeZone: text,
    weekStart: fc.constantFrom('monday', 'sunday'),
  },
  { requiredKeys: ['table'] },
);

test('any structure that the schema allows has a query or faults', () => {
  fc.assert(
    fc.property(anyStructure, fc.constantFrom<DialectName>('duckdb', 'postgresql'), (any, dialect) => {
      // Not sound, on purpose: the schema is wider than the type.
      const generated = generateQuery(any as unknown as QueryStructure, dialect);
      assert.ok('query' in generated || generated.faults.length > 0);
    }),
    { numRuns: roundsOr(1_000) },
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateQuery } from '#shared/query-builder/generate.ts';
import type { QueryStructure } from '#shared/query-builder/structure.ts';
import { startNewsroom } from '../../../../tests/support/reports/newsroom.ts';
import {
  describeOnUsualEngine,
  problemOf,
  type Person,
} from '../../../../tests/support/server/test-server.ts';

const structure: QueryStructure = {
  table: {
    schema: 'main',
    name: 'sales',
    columns: [
      { name: 'region', type: 'text' },
      { name: 'day', type: 'date' },
      { name: 'amount', type: 'double' },
      { name: 'is_open', type: 'boolean' },
    ],
  },
  filters: [{ column: { name: 'is_open' }, operator: 'is', values: [true] }],
  groups: [{ column: { name: 'region' } }, { column: { name: 'day' }, granularity: 'year', name: 'year' }],
  measures: [{ name: 'total', aggregate: 'sum', column: { name: 'amount' } }],
};
const generated = generateQuery(structure, 'duckdb');
assert.ok('query' in generated);
const built = {
  structure,
  query: generated.query.sql,
  parameters: [...generated.query.parameters],
};

const north = { region: 'north', year: '2025-01-01' };
const south = { region: 'south', year: '2026-01-01' };

describeOnUsualEngine('drilling into a report', (engine) => {
  async function start(context: Parameters<typeof startNewsroom>[0]) {
    const room = await startNewsroom(context, engine);
    const viewer = await room.server.createMember(room.organizationId, 'viewer');
    const drill = (report: { id: string }, body: object, as: Person = room.owner) =>
      room.server.call(`POST /api/reports/${report.id}/drill`, { as, body });
    return { ...room, viewer, drill };
  }

  test('returns the rows behind marks to editors', async (context) => {
    const { save, drill, server, owner } = await start(context);
    const report = await save(built);
    const { status, body } = await drill(report, { marks: [north] });
    assert.deepEqual([status, body.rows], [200, [['north', '2025-03-01', 10.5, true]]]);
    const both = await drill(report, { marks: [north, south] });
    assert.deepEqual(both.body.rows.length, 2);
    const file = await server.call(`POST /api/reports/${report.id}/drill`, {
      as: owner,
      headers: { accept: 'text/csv' },
      body: { marks: [north] },
    });
    assert.equal(file.text, 'region,day,amount,is_open\r\nnorth,2025-03-01,10.5,true\r\n');
  });

  test('requires the editor role for rows, unless the report allows everyone to see them', async (context) => {
    const { save, drill, viewer } = await start(context);
    const closed = await save(built);
    assert.equal(problemOf(await drill(closed, { marks: [north] }, viewer)).code, 'forbidden');
    const open = await save({ ...built, drill: { rows: 'everyone' } });
    assert.deepEqual(open.drill, { rows: 'everyone' });
    assert.equal((await drill(open, { marks: [north] }, viewer)).status, 200);
  });

  test('shows columns that are hidden in the models of the tables only to those who may browse tables', async (context) => {
    const { save, drill, viewer, server, owner, path, upload } = await start(context);
    assert.equal((await upload('areas', 'area,boss,budget\nnorth,Ada,5\n')).status, 200);
    const hide = async (name: string, ...columns: string[]) => {
      const model = {
        schema: 'main',
        name,
        columns: columns.map((column) => ({ name: column, isHidden: true })),
      };
      const headers = { 'if-match': '*' };
      const put = await server.call(`PUT ${path}/models`, { as: owner, body: model, headers });
      assert.equal(put.status, 200, put.text);
    };
    const joined: QueryStructure = {
      ...structure,
      // DuckDB finds the table by this spelling, too.
      table: { ...structure.table, name: 'Sales' },
      joins: [
        {
          kind: 'left',
          table: {
            schema: 'main',
            name: 'areas',
            columns: [
              { name: 'area', type: 'text' },
              { name: 'boss', type: 'text' },
              { name: 'budget', type: 'integer' },
            ],
          },
          as: 'region_area',
          on: [{ left: { name: 'region' }, right: 'area' }],
        },
      ],
      customColumns: [
        { name: 'tenfold', formula: '[amount] * 10' },
        { name: 'twentyfold', formula: '[tenfold] * 2' },
        { name: 'plan', formula: '[region_area.budget] + 1' },
        { name: 'who', formula: 'upper([region_area.boss])' },
      ],
    };
    const query = generateQuery(joined, 'duckdb');
    assert.ok('query' in query, JSON.stringify(query));
    const report = await save({
      structure: joined,
      query: query.query.sql,
      parameters: [...query.query.parameters],
      drill: { rows: 'everyone' },
    });
    const csvFor = async (as: Person) => {
      const headers = { accept: 'text/csv' };
      const body = { marks: [north] };
      const file = await server.call(`POST /api/reports/${report.id}/drill`, { as, headers, body });
      return file.text.split('\r\n', 2);
    };
    const all = [
      'region,day,amount,is_open,area,boss,budget,tenfold,twentyfold,plan,who',
      'north,2025-03-01,10.5,true,north,Ada,5,105,210,6,ADA',
    ];
    assert.deepEqual(await csvFor(viewer), all);
    await hide('sales', 'Amount', 'is_open');
    await hide('areas', 'budget');
    const visible = await drill(report, { marks: [north] }, viewer);
    assert.deepEqual(
      visible.body.columns.map(({ name }: { name: string }) => name),
      ['region', 'day', 'area', 'boss', 'who'],
    );
    assert.deepEqual(visible.body.rows, [['north', '2025-03-01', 'north', 'Ada', 'ADA']]);
    assert.deepEqual(await csvFor(viewer), ['region,day,area,boss,who', 'north,2025-03-01,north,Ada,ADA']);
    assert.deepEqual(await csvFor(owner), all);
    // The filter on a hidden column still applies, with the value that the report was opened with.
    const closed = { marks: [{ region: 'north', year: '2026-01-01' }], parameters: { is_open: false } };
    assert.equal((await drill(report, closed, viewer)).body.rows.length, 1);
    await hide('sales', 'region', 'day', 'amount', 'is_open');
    await hide('areas', 'area', 'boss', 'budget');
    assert.equal(problemOf(await drill(report, { marks: [north] }, viewer)).code, 'forbidden');
  });

  test('returns the result of a query that the author defines to every member', async (context) => {
    const { save, drill, viewer } = await start(context);
    const report = await save({
      query: 'SELECT region, sum(amount) AS total FROM sales WHERE day >= {{since}} GROUP BY 1',
      parameters: [{ name: 'since', type: 'date', default: '2026-01-01' }],
      drill: {
        targets: [
          {
            kind: 'query',
            label: 'Sales',
            query: 'SELECT amount FROM sales WHERE region = ANY ({{region}}) AND day >= {{since}} ORDER BY 1',
            columns: { region: 'list' },
          },
          {
            kind: 'query',
            label: 'One',
            query: 'SELECT {{region}} AS region, {{total}} AS total',
            columns: { region: 'text', total: 'number' },
          },
          { kind: 'report', label: 'Other', reportId: 'r', parameters: { region: 'region' } },
        ],
      },
    });
    const rowsOf = async (body: object) => (await drill(report, body, viewer)).body.rows;
    const marks = [{ region: 'north' }, { region: 'south' }];
    assert.deepEqual(await rowsOf({ target: 0, marks }), [[20], [40]]);
    const since = { parameters: { since: '2025-01-01' } };
    assert.deepEqual(await rowsOf({ target: 0, marks: [marks[0]], ...since }), [[10.5], [20]]);
    const injection = "x' OR 1=1; DROP TABLE sales; --";
    assert.deepEqual(await rowsOf({ target: 0, marks: [{ region: injection }] }), []);
    assert.deepEqual(await rowsOf({ target: 1, marks: [{ region: injection, total: 1 }] }), [[injection, 1]]);
  });

  test('allows no value of a column that the parameter with its name does not allow', async (context) => {
    const { save, drill, viewer } = await start(context);
    const query = 'SELECT amount FROM sales WHERE region = ANY ({{region}})';
    const report = await save({
      query: 'SELECT region FROM sales WHERE region = ANY ({{region}})',
      parameters: [{ name: 'region', type: 'list', allowed: { values: ['north'] } }],
      drill: { targets: [{ kind: 'query', label: 'Sales', query, columns: { region: 'list' } }] },
    });
    const marksOf = (...regions: string[]) => ({ target: 0, marks: regions.map((region) => ({ region })) });
    assert.equal((await drill(report, marksOf('north'), viewer)).status, 200);
    const refused = problemOf(await drill(report, marksOf('north', 'south'), viewer));
    assert.deepEqual(refused.faults, ['/parameters/region allowed']);
  });

  test('rejects marks and targets that the report doesn’t have', async (context) => {
    const { save, drill } = await start(context);
    const report = await save({
      ...built,
      drill: {
        targets: [
          { kind: 'query', label: 'One', query: 'SELECT {{total}} AS t', columns: { total: 'number' } },
          { kind: 'report', label: 'Other', reportId: 'r', parameters: {} },
        ],
      },
    });
    const cases: [body: object, ...faults: string[]][] = [
      [{ marks: [] }, '/marks minItems'],
      [{ marks: Array.from({ length: 101 }, () => north) }, '/marks maxItems'],
      [{ marks: [{ region: 'north' }] }, '/marks/0 required'],
      [{ marks: [{ ...north, is_open: false }] }, '/marks/0/is_open unknown'],
      [{ marks: [{ ...north, region: ['north'] }] }, '/marks/0/region type'],
      [{ marks: [{ ...north, year: "2025-01-01' OR 1=1" }] }, '/marks mark'],
      [{ marks: [{ ...north, year: 2025 }] }, '/marks mark'],
      [{ marks: [north], parameters: { unknown: 1 } }, '/parameters/unknown unknown'],
      [{ marks: [north], parameters: { is_open: 'x' } }, '/parameters/is_open type'],
      [{ marks: [{ total: 'x' }], target: 0 }, '/marks/0/total type'],
      [{ marks: [{ total: 1, region: 'north' }], target: 0 }, '/marks/0/region unknown'],
      [{ marks: [{ total: 1 }, { total: 2 }], target: 0 }, '/marks maxItems'],
      [{ marks: [{}], target: 1 }, '/target unknown'],
      [{ marks: [{}], target: 9 }, '/target unknown'],
      [{ marks: [{}], target: -1 }, '/target minimum'],
    ];
    for (const [body, ...faults] of cases) {
      assert.deepEqual(
        problemOf(await drill(report, body)),
        { status: 400, code: 'invalid_body', faults },
        JSON.stringify(body).slice(0, 200),
      );
    }
    const written = await save({ query: 'SELECT 1 AS n' });
    assert.equal(problemOf(await drill(written, { marks: [{}] })).status, 400);
  });

  test('applies the filters of the query, and accepts only the allowed values of its parameters', async (context) => {
    const { save, drill, viewer } = await start(context);
    const [isOpen] = built.parameters;
    assert.ok(isOpen);
    const report = await save({
      ...built,
      parameters: [{ ...isOpen, allowed: { values: ['true'] } }],
      drill: { rows: 'everyone' },
    });
    const closed = { region: 'north', year: '2026-01-01' };
    assert.deepEqual((await drill(report, { marks: [closed] }, viewer)).body.rows, []);
    for (const name of ['is_open', 'region', 'year'])
      assert.equal(
        problemOf(await drill(report, { marks: [closed], parameters: { [name]: false } }, viewer)).status,
        400,
        name,
      );
  });

  test('finds no report of another organization', async (context) => {
    const { save, drill, server } = await start(context);
    const report = await save({ ...built, drill: { rows: 'everyone' } });
    const stranger = await server.createPerson('Eve');
    await server.createOrganization(stranger);
    assert.equal((await drill(report, { marks: [north] }, stranger)).status, 404);
  });

  test('can’t be set up with a query that refers to something else', async (context) => {
    const { server, owner, organizationId, id: dataSourceId } = await start(context);
    const create = async (drill: object) => {
      const body = { organizationId, dataSourceId, name: 'S', query: 'SELECT 1 AS n', drill };
      const created = await server.call('POST /api/reports', { as: owner, body });
      return created.status === 201 ? created.body.drill : problemOf(created);
    };
    const target = { kind: 'query', label: 'One', query: 'SELECT {{m}}', columns: { n: 'number' } };
    assert.deepEqual(await create({ targets: [target] }), {
      status: 400,
      code: 'invalid_body',
      faults: ['/drill/targets/0/query parameter'],
    });
    const valid = { ...target, query: 'SELECT {{n}}' };
    assert.deepEqual(await create({ targets: [{ ...valid, other: 1 }], other: 1 }), {
      status: 400,
      code: 'invalid_body',
      faults: ['/drill/other unknown', '/drill/targets/0/other unknown'],
    });
    assert.deepEqual(await create({ targets: [valid] }), { targets: [valid] });
  });
});

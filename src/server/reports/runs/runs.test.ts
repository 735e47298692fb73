import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReportParameter } from '#contract/reports/reports.ts';
import { startNewsroom } from '../../../../tests/support/reports/newsroom.ts';
import { describeOnUsualEngine, problemOf } from '../../../../tests/support/server/test-server.ts';

const all: ReportParameter[] = [
  { name: 'text', type: 'text' },
  { name: 'number', type: 'number' },
  { name: 'boolean', type: 'boolean' },
  { name: 'date', type: 'date' },
  { name: 'datetime', type: 'datetime' },
  { name: 'list', type: 'list' },
];
const echo = {
  query:
    'SELECT {{text}} AS t, {{number}} AS n, {{boolean}} AS b, {{date}} AS d, {{datetime}} AS z, {{list}} AS l',
  parameters: all,
};

describeOnUsualEngine('a run of a report', (engine) => {
  test('returns columns and rows, with when and how they were computed', async (context) => {
    const { run, save } = await startNewsroom(context, engine);
    const query = 'SELECT region, sum(amount) AS total FROM sales GROUP BY region ORDER BY region';
    const { status, body } = await run(await save({ query }));
    assert.equal(typeof body.durationMs, 'number');
    assert.deepEqual(
      [status, body],
      [
        200,
        {
          columns: [
            { name: 'region', type: 'text', sourceType: 'VARCHAR' },
            { name: 'total', type: 'double', sourceType: 'DOUBLE' },
          ],
          rows: [
            ['north', 30.5],
            ['south', 70],
          ],
          rowCount: 2,
          isCutOff: false,
          computedAt: '2026-11-21T09:00:00.000Z',
          durationMs: body.durationMs,
          isFromCache: false,
          faults: [],
        },
      ],
    );
  });

  test('binds values of each type, defaults, and null without either', async (context) => {
    const { run, save, runUnsaved } = await startNewsroom(context, engine);
    const report = await save(echo);
    const rowOf = async (parameters: object, of = report) => {
      const { body } = await run(of, { parameters });
      return body.rows?.[0] ?? body;
    };
    assert.deepEqual(await rowOf({}), [null, null, null, null, null, null]);
    const values = {
      text: 'é 😀',
      number: 1.5,
      boolean: false,
      date: '2024-02-29',
      datetime: '2026-11-21T10:00:00+01:00',
      list: ['a', ''],
    };
    const bound = ['é 😀', 1.5, false, '2024-02-29', '2026-11-21T09:00:00Z', ['a', '']];
    assert.deepEqual(await rowOf(values), bound);
    assert.deepEqual(await rowOf({ ...values, number: -3, list: [], text: '' }), [
      '',
      -3,
      ...bound.slice(2, 5),
      [],
    ]);
    const withDefaults = await save({
      ...echo,
      parameters: all.map((one) => ({ ...one, default: values[one.name as keyof typeof values] })),
    });
    assert.deepEqual(await rowOf({}, withDefaults), bound);
    assert.deepEqual(await rowOf({ text: null, number: 2 }, withDefaults), [null, 2, ...bound.slice(2)]);
    assert.deepEqual((await runUnsaved({ ...echo, values })).body.rows, [bound]);
    const many = await save({
      query: 'SELECT count(*) FROM sales WHERE region = ANY ({{list}}) AND day >= {{date}} LIMIT {{number}}',
      parameters: all,
    });
    assert.deepEqual(await rowOf({ list: ['north', 'south'], date: '2026-01-01', number: 1 }, many), [2]);
  });

  test('reports every invalid value at once', async (context) => {
    const { run, save, runUnsaved } = await startNewsroom(context, engine);
    const invalid = {
      text: 1,
      number: '1',
      boolean: 'true',
      date: '2026-02-30',
      datetime: '2026-02-03T25:00:00Z',
      list: 'a',
      'no/such~one': 1,
    };
    const faults = (under: string) =>
      ['boolean', 'date', 'datetime', 'list', 'number', 'text']
        .map((name) => `/${under}/${name} type`)
        .concat(`/${under}/no~1such~0one unknown`)
        .toSorted();
    const refused = { status: 400, code: 'invalid_body' };
    assert.deepEqual(problemOf(await run(await save(echo), { parameters: invalid })), {
      ...refused,
      faults: faults('parameters'),
    });
    assert.deepEqual(problemOf(await runUnsaved({ ...echo, values: invalid })), {
      ...refused,
      faults: faults('values'),
    });
    for (const datetime of ['2026-11-21', '2026-11-21T9:00Z', '2026-11-21T09:00:00.123456789Z', 'Tuesday']) {
      const problem = problemOf(await run(await save(echo), { parameters: { datetime } }));
      assert.deepEqual(problem.faults, ['/parameters/datetime type'], datetime);
    }
    const list = problemOf(await run(await save(echo), { parameters: { list: ['a', 1] } }));
    assert.equal(list.status, 400);
  });

  test('limits how many values a query can allow', async (context) => {
    const { server, owner: as, save } = await startNewsroom(context, engine);
    const valuesOf = async (query: string): Promise<string[]> => {
      const { id } = await save({
        query: 'SELECT {{a}}',
        parameters: [{ name: 'a', type: 'text', allowed: { query } }],
      });
      return (await server.call(`GET /api/reports/${id}/parameters/a/values`, { as })).body.items;
    };
    assert.equal((await valuesOf("SELECT 'v' || range FROM range(20000)")).length, 10_000);
    const long = await valuesOf("SELECT repeat('x', 30000) FROM range(1000)");
    assert.ok(long.join('').length < 1_200_000);
  });

  test('limits the allowed values by those of other parameters', async (context) => {
    const { server, organizationId, run, save } = await startNewsroom(context, engine);
    const report = await save({
      query: 'SELECT {{region}}, {{amount}}',
      parameters: [
        {
          name: 'amount',
          type: 'number',
          allowed: { query: 'SELECT amount FROM sales WHERE region = {{region}} ORDER BY 1' },
        },
        { name: 'region', type: 'text', default: 'south' },
      ],
    });
    const viewer = await server.createMember(organizationId, 'viewer');
    const valuesOf = async (query: string, as = viewer) =>
      (await server.call(`GET /api/reports/${report.id}/parameters/amount/values${query}`, { as })).body;
    assert.deepEqual(await valuesOf('?region=north'), { items: ['10.5', '20'] });
    assert.deepEqual(await valuesOf(''), { items: ['30', '40'] });
    assert.deepEqual(await valuesOf("?region=north' OR true --"), { items: [] });
    const stranger = await server.createPerson('Mallory');
    assert.equal((await valuesOf('?region=north', stranger)).code, 'not_found');
    assert.deepEqual((await run(report, { parameters: { amount: 20, region: 'north' } })).body.rows, [
      ['north', 20],
    ]);
    for (const parameters of [{ amount: 20 }, { amount: 20, region: 'south' }])
      assert.deepEqual(problemOf(await run(report, { parameters })).faults, ['/parameters/amount allowed']);
    // What is allowed isn't known then.
    assert.deepEqual(problemOf(await run(report, { parameters: { amount: 20, region: 7 } })).faults, [
      '/parameters/region type',
    ]);
  });

  test('shows nothing that belongs to a value that is not allowed', async (context) => {
    const { server, organizationId, run, save } = await startNewsroom(context, engine);
    const ofRegion = (column: string, other: string) =>
      `SELECT ${column}::VARCHAR FROM sales WHERE ${other}::VARCHAR = {{${other}}} ORDER BY 1`;
    const report = await save({
      query: 'SELECT {{region}}, {{amount}}, {{day}}',
      parameters: [
        { name: 'day', type: 'text', allowed: { query: ofRegion('day', 'amount') } },
        { name: 'amount', type: 'text', allowed: { query: ofRegion('amount', 'region') } },
        { name: 'region', type: 'text', default: 'north', allowed: { values: ['north'] } },
      ],
    });
    const viewer = await server.createMember(organizationId, 'viewer');
    const list = (name: string, query: string) =>
      server.call(`GET /api/reports/${report.id}/parameters/${name}/values${query}`, { as: viewer });
    assert.deepEqual((await list('amount', '')).body, { items: ['10.5', '20.0'] });
    assert.deepEqual((await list('day', '?amount=20.0')).body, { items: ['2026-03-01'] });
    for (const [name, query, ...faults] of [
      ['amount', '?region=south', '/region allowed'],
      ['day', '?amount=30.0', '/amount allowed'],
      ['day', '?amount=30.0&region=south', '/region allowed'],
      ['day', '?amount=20.0&region=south', '/region allowed'],
    ] as const)
      assert.deepEqual(problemOf(await list(name, query)), {
        status: 400,
        code: 'invalid_parameters',
        faults,
      });
    for (const amount of ['30.0', '31.0']) {
      const { faults } = problemOf(await run(report, { parameters: { region: 'south', amount } }, viewer));
      assert.deepEqual(faults, ['/parameters/region allowed'], amount);
    }
  });

  test('accepts only allowed values, from a list or from a query', async (context) => {
    const { server, owner: as, run, save } = await startNewsroom(context, engine);
    const report = await save({
      query: 'SELECT {{region}}, {{amount}}, {{regions}}',
      parameters: [
        { name: 'region', type: 'text', allowed: { values: ['north', 'south'] } },
        {
          name: 'amount',
          type: 'number',
          allowed: { query: 'SELECT amount::DECIMAL(9,2) FROM sales ORDER BY 1' },
        },
        {
          name: 'regions',
          type: 'list',
          allowed: { query: 'SELECT DISTINCT region FROM sales UNION SELECT NULL ORDER BY 1' },
        },
        { name: 'free', type: 'text' },
      ],
    });
    const listed = async (name: string) =>
      (await server.call(`GET /api/reports/${report.id}/parameters/${name}/values`, { as })).body;
    assert.deepEqual(await listed('region'), { items: ['north', 'south'] });
    assert.deepEqual(await listed('regions'), { items: ['north', 'south'] });
    assert.deepEqual(await listed('free'), {});
    assert.equal((await listed('none')).code, 'not_found');
    const allowed = { region: 'south', amount: 10.5, regions: ['south', 'north'] };
    assert.deepEqual((await run(report, { parameters: allowed })).body.rows, [Object.values(allowed)]);
    const refused = await run(report, {
      parameters: { region: 'west', amount: 11, regions: ['north', 'x'] },
    });
    assert.deepEqual(problemOf(refused), {
      status: 400,
      code: 'invalid_body',
      faults: ['/parameters/amount allowed', '/parameters/region allowed', '/parameters/regions allowed'],
    });
  });

  test('never runs a value as SQL', async (context) => {
    const { run, save } = await startNewsroom(context, engine);
    const report = await save({
      query: 'SELECT count(*) FROM sales WHERE region = {{text}} OR region IN (SELECT unnest({{list}}))',
      parameters: all,
    });
    for (const text of [
      "' OR 1=1 --",
      "'; DROP TABLE sales; --",
      "north' UNION SELECT 1 --",
      '{{list}}',
      '$1',
      '\\',
      "\"); ATTACH '/etc/passwd' AS x; --",
    ]) {
      const { body } = await run(report, { parameters: { text, list: [text, `${text}')`] } });
      assert.deepEqual(body.rows, [[0]], text);
    }
    assert.deepEqual((await run(report, { parameters: { text: 'north' } })).body.rows, [[2]]);
  });

  test('reports errors in the SQL with line and column', async (context) => {
    const { server, owner, run, save, runUnsaved } = await startNewsroom(context, engine);
    const parameters = [{ name: 'a_long_name', type: 'text' } as const];
    const query = 'SELECT {{a_long_name}},\n  {{a_long_name}}, nothing\nFROM sales';
    for (const response of [
      await run(await save({ query, parameters })),
      await runUnsaved({ query, parameters }),
    ]) {
      assert.deepEqual(problemOf(response), { status: 422, code: 'query_failed' });
      assert.deepEqual([response.body.line, response.body.column], [2, 20]);
      assert.match(response.body.detail, /nothing.*\(line 2, column 20\)$/s);
    }
    for (const sql of [
      '',
      'DROP TABLE sales',
      'SELECT 1; SELECT 2',
      "SELECT * FROM read_csv('/etc/passwd')",
    ]) {
      const { status } = await runUnsaved({ query: sql });
      assert.equal(status, sql === '' ? 400 : 422, sql);
    }
    assert.deepEqual(problemOf(await runUnsaved({ query: "SELECT '{{a}}', {{b}}" })).faults, [
      '/query parameter',
      '/query placeholder',
    ]);
    const parameter = { name: 'a', type: 'text', allowed: { query: 'SELECT\n nothing' } } as const;
    const unsaved = { query: 'SELECT {{a}}', parameters: [parameter] };
    const report = await save(unsaved);
    for (const response of [
      await run(report, { parameters: { a: 'x' } }),
      await runUnsaved({ ...unsaved, values: { a: 'x' } }),
      await server.call(`GET /api/reports/${report.id}/parameters/a/values`, { as: owner }),
    ]) {
      const { code, detail, parameter: name, line, column } = response.body;
      assert.deepEqual([code, name, line, column], ['query_failed', 'a', 2, 2]);
      assert.match(detail, /^The allowed values of “a” can’t be listed: .*nothing/);
    }
    const of = (name: string, query: string) => ({ name, type: 'text', allowed: { query } });
    const faultsOf = async (...parameters: object[]) =>
      problemOf(await runUnsaved({ query: 'SELECT {{a}}', parameters })).faults;
    assert.deepEqual(await faultsOf(of('a', 'SELECT {{a}}')), ['/parameters/0/allowed/query cycle']);
    assert.deepEqual(await faultsOf(of('a', "SELECT '{{a}}', {{nothing}}")), [
      '/parameters/0/allowed/query parameter',
      '/parameters/0/allowed/query placeholder',
    ]);
    const cycle = [of('a', 'SELECT {{c}}'), of('b', 'SELECT {{a}}'), of('c', 'SELECT {{b}}')];
    assert.deepEqual(
      await faultsOf(...cycle),
      [0, 1, 2].map((index) => `/parameters/${index}/allowed/query cycle`),
    );
  });

  test('requires membership, and a preview requires an editor', async (context) => {
    const { server, organizationId, id: dataSourceId, run, save } = await startNewsroom(context, engine);
    const report = await save({});
    const viewer = await server.createMember(organizationId, 'viewer');
    const stranger = await server.createPerson('Mallory');
    assert.equal((await run(report, {}, viewer)).status, 200);
    assert.deepEqual(problemOf(await run(report, {}, stranger)), { status: 404, code: 'not_found' });
    const preview = (as: typeof viewer, organization: string) =>
      server.call('POST /api/reports/preview', {
        as,
        body: { organizationId: organization, dataSourceId, query: 'FROM sales' },
      });
    assert.equal((await preview(viewer, organizationId)).status, 403);
    assert.equal((await preview(stranger, organizationId)).status, 404);
    // A data source of another organization is unknown, even to its own members.
    const theirs = await preview(stranger, await server.createOrganization(stranger));
    const unknown = { status: 400, code: 'invalid_body', faults: ['/dataSourceId unknown'] };
    assert.deepEqual(problemOf(theirs), unknown);
  });
});

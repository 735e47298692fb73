import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { startNewsroom, type Newsroom } from '../../../../tests/support/reports/newsroom.ts';
import { describeOnUsualEngine } from '../../../../tests/support/server/test-server.ts';

/** Creates a dashboard, and returns a function that requests its results as parsed lines. */
async function board({ server, owner, organizationId }: Newsroom, widgets: object[]) {
  const created = await server.call('POST /api/dashboards', {
    as: owner,
    body: { name: 'Board', organizationId, widgets },
  });
  assert.equal(created.status, 201, created.text);
  const path = `/api/dashboards/${created.body.id}/results`;
  return async (query = '', headers: Record<string, string> = {}, as = owner) => {
    const {
      status,
      text,
      headers: responseHeaders,
    } = await server.call(`GET ${path}${query}`, { as, headers });
    if (status !== 200) return [{ status }];
    assert.equal(responseHeaders['content-type'], 'application/x-ndjson; charset=utf-8');
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  };
}

const at = (y: number, x = 0) => ({ x, y, w: 1, h: 1 });

describeOnUsualEngine('the results of a dashboard', (engine) => {
  test('are a line for each report, with its problem if it fails', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const good = await newsroom.save({ name: 'Good', query: 'SELECT \'{\n "a": 1}\'::JSON AS j' });
    const bad = await newsroom.save({ name: 'Bad', query: 'SELECT 1,\nnothing' });
    const invalid = await newsroom.save({
      name: 'Wrong',
      query: 'SELECT {{n}}',
      parameters: [{ name: 'n', type: 'number' }],
    });
    const results = await board(newsroom, [
      { reportId: bad.id, layout: at(0) },
      { reportId: good.id, layout: at(1) },
      { reportId: invalid.id, layout: at(2) },
      { reportId: good.id, layout: at(3) },
      { reportId: 'none', layout: at(4) },
    ]);
    const lines = await results('?n=many&other=1');
    const byName = Object.fromEntries(lines.map((line) => [line.reportName ?? line.reportId, line]));
    assert.deepEqual(Object.keys(byName).toSorted(), ['Bad', 'Good', 'Wrong', 'none']);
    assert.equal(byName['Good'].widgetIds.length, 2);
    assert.deepEqual(byName['Good'].result.rows, [[{ a: 1 }]]);
    const { code, status, line, column } = byName['Bad'].problem;
    assert.deepEqual([code, status, line, column], ['query_failed', 422, 2, 1]);
    assert.deepEqual(byName['Wrong'].problem, {
      type: 'urn:atrium:problem:invalid_parameters',
      title: 'The parameters of the URL do not match their schema',
      status: 400,
      detail: 'Some parameters are not valid for this report.',
      code: 'invalid_parameters',
      errors: [{ pointer: '/n', code: 'type', message: 'must be a number' }],
    });
    assert.equal(byName['none'].problem.code, 'not_found');
    const stranger = await newsroom.server.createPerson('Mallory');
    assert.deepEqual(await results('', {}, stranger), [{ status: 404 }]);
  });

  test('have the values of the filters that the dashboard defines, and of its defaults', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const { server, owner: as, organizationId } = newsroom;
    await server.call(`PATCH /api/organizations/${organizationId}`, {
      as,
      body: { timeZone: 'Pacific/Kiritimati' },
    });
    const days = await newsroom.save({
      name: 'Days',
      query: 'SELECT {{day_from}}::text, {{day_to}}::text, {{place}}',
      parameters: [
        { name: 'day_from', type: 'date' },
        { name: 'day_to', type: 'date' },
        { name: 'place', type: 'text', default: 'anywhere' },
      ],
    });
    const filters = [
      { name: 'day', kind: 'date_range', default: 'today' },
      { name: 'country', label: 'Country', kind: 'text', isRequired: true },
    ];
    const results = await board(newsroom, [
      { reportId: days.id, layout: at(0) },
      { reportId: days.id, layout: at(1), config: { filters: { country: 'place' } } },
      { reportId: days.id, layout: at(2), config: { filters: { country: 'place', day: null } } },
      { reportId: 'builtin:filters', layout: { x: 0, y: 0, w: 0, h: 0 }, config: { filters } },
    ]);
    const shown = async (query: string) =>
      (await results(query))
        .map(({ result, problem }): string => result?.rows[0].join() ?? `${problem.code}: ${problem.detail}`)
        .toSorted();
    // The clock of the test is at 9:00 UTC on 21 November.
    assert.deepEqual(await shown('?country=DE'), [
      ',,DE',
      '2026-11-21,2026-11-21,DE',
      '2026-11-21,2026-11-21,anywhere',
    ]);
    server.advance(3_600_000);
    const required = 'filter_required: Choose a value for “Country” to see this.';
    assert.deepEqual(await shown(''), ['2026-11-22,2026-11-22,anywhere', required, required]);
    assert.deepEqual(await shown('?country=FR&day=last-month'), [
      ',,FR',
      '2026-10-01,2026-10-31,FR',
      '2026-10-01,2026-10-31,anywhere',
    ]);
  });

  test('are only those of the requested widgets, in the order of tabs and sections', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const { server, owner: as, organizationId } = newsroom;
    const reports = await Promise.all(
      ['Top', 'Month', 'Costs'].map((name) => newsroom.save({ name, query: `SELECT '${name}'` })),
    );
    const shown = (index: number, config: object, y = 0) => ({
      reportId: reports[index]?.id,
      layout: at(y),
      config,
    });
    const { body } = await server.call('POST /api/dashboards', {
      as,
      body: {
        name: 'Board',
        organizationId,
        widgets: [
          shown(2, { parent: 'costs' }),
          shown(1, { parent: 'month' }, 1),
          shown(0, {}, 2),
          shown(0, { parent: 'month' }, 3),
          { reportId: 'builtin:section', config: { key: 'month', parent: 'costs' } },
          { reportId: 'builtin:tab', config: { key: 'costs' } },
        ],
      },
    });
    const ids: string[] = body.widgets.map(({ id }: { id: string }) => id);
    const linesFor = async (query: string) => {
      const { text } = await server.call(`GET /api/dashboards/${body.id}/results${query}`, { as });
      return text
        .trimEnd()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
        .map(({ reportName, widgetIds }): [string, number[]] => [
          reportName,
          widgetIds.map((id: string) => ids.indexOf(id)),
        ]);
    };
    // On a busy machine, the first report may need longer than its head start, so most of some requests count.
    const firstLines = [];
    for (let request = 0; request < 9; request += 1) firstLines.push((await linesFor(''))[0]);
    const inOrder = firstLines.filter((line) => isDeepStrictEqual(line, ['Top', [2, 3]]));
    assert.ok(inOrder.length >= 5, JSON.stringify(firstLines));
    assert.deepEqual(await linesFor(`?widget-ids=${ids[3]},${ids[4]},none&x=1`), [['Top', [3]]]);
    assert.deepEqual(
      new Map(await linesFor(`?widget-ids=${ids[0]},${ids[1]}`)),
      new Map([
        ['Month', [1]],
        ['Costs', [0]],
      ]),
    );
    assert.deepEqual(await linesFor('?widget-ids='), []);
  });

  test('are not computed for a HEAD request', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const { id } = await newsroom.save({ query: 'SELECT 1' });
    const { server, owner: as, organizationId } = newsroom;
    const body = { name: 'Board', organizationId, widgets: [{ reportId: id }] };
    const board = await server.call('POST /api/dashboards', { as, body });
    assert.equal((await server.call(`HEAD /api/dashboards/${board.body.id}/results`, { as })).status, 405);
  });

  test('are complete when they are large', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const query = "SELECT repeat('é', 1000) AS a FROM range(1000)";
    const large = [await newsroom.save({ query }), await newsroom.save({ query: `${query} t` })];
    const results = await board(
      newsroom,
      large.map(({ id }) => ({ reportId: id })),
    );
    const rows = Array.from({ length: 1_000 }, () => ['é'.repeat(1_000)]);
    for (const { result } of await results()) assert.deepEqual(result.rows, rows);
    assert.deepEqual((await newsroom.run(large[0] ?? { id: '' })).body.rows, rows);
  });

  test('include the visualization and parameters of each report, even if it fails', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const visualization = { kind: 'number', value: 'n' } as const;
    const plain = { name: 'plain', type: 'number' } as const;
    const chosen = { name: 'chosen', label: 'Chosen', type: 'text', default: null } as const;
    const report = await newsroom.save({
      name: 'Good',
      query: 'SELECT {{plain}} AS n, {{chosen}}',
      visualization,
      parameters: [plain, { ...chosen, allowed: { query: 'SELECT 1' } }],
    });
    const failing = await newsroom.save({ name: 'Bad', query: 'SELECT nothing', visualization });
    const results = await board(newsroom, [
      { reportId: report.id },
      { reportId: failing.id },
      { reportId: 'none' },
    ]);
    const shown = (await results()).map(({ reportName, visualization, parameters }) => ({
      reportName,
      visualization,
      parameters,
    }));
    assert.deepEqual(
      shown.toSorted((a, b) => String(a.reportName).localeCompare(String(b.reportName))),
      [
        { reportName: 'Bad', visualization, parameters: [] },
        {
          reportName: 'Good',
          visualization,
          parameters: [
            { ...plain, filter: 'plain', hasAllowed: false },
            { ...chosen, filter: 'chosen', hasAllowed: true },
          ],
        },
        { reportName: undefined, visualization: undefined, parameters: undefined },
      ],
    );
  });

  test('use one filter for all parameters of the same name', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const region = await newsroom.save({
      name: 'Region',
      query: 'SELECT {{region}}, {{from}}, {{open}}',
      parameters: [
        { name: 'region', type: 'text', default: 'south' },
        { name: 'from', type: 'date', default: '2020-01-01' },
        { name: 'open', type: 'boolean' },
      ],
    });
    const regions = await newsroom.save({
      name: 'Regions',
      query: 'SELECT {{region}}, {{amount}}',
      parameters: [
        { name: 'region', type: 'list' },
        { name: 'amount', type: 'number' },
      ],
    });
    const results = await board(newsroom, [{ reportId: region.id }, { reportId: regions.id }]);
    const rows = async (query: string) =>
      Object.fromEntries(
        (await results(query)).map(({ reportName, result }) => [reportName, result.rows[0]]),
      );
    assert.deepEqual(await rows(''), { Region: ['south', '2020-01-01', null], Regions: [null, null] });
    assert.deepEqual(await rows('?region=a&region=b&amount=-1.5e2&open=true'), {
      Region: ['b', '2020-01-01', true],
      Regions: [['a', 'b'], -150],
    });
    assert.deepEqual(await rows('?region=&from=&amount=&open='), {
      Region: ['', null, null],
      Regions: [[''], null],
    });
  });

  test('run equal queries once, and query the sources when that is requested', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const query = 'SELECT uuid()';
    const equal = await Promise.all(
      Array.from({ length: 20 }, (_, index) => newsroom.save({ name: `E${index}`, query })),
    );
    const uncached = await Promise.all(
      [0, 1].map(() => newsroom.save({ query: `${query} AS u`, cacheSeconds: 0 })),
    );
    const results = await board(
      newsroom,
      [...equal, ...uncached].map(({ id }, index) => ({ reportId: id, layout: at(100 - index) })),
    );
    const request = async (headers = {}) => {
      const lines = await results('', headers);
      const values = (of: { id: string }[]) =>
        new Set(
          lines
            .filter((line) => of.some(({ id }) => id === line.reportId))
            .map((line) => line.result.rows[0][0]),
        );
      assert.equal(lines.length, 22);
      const [one, ...others] = values(equal);
      assert.deepEqual([others.length, values(uncached).size], [0, 1]);
      return [one, ...values(uncached)];
    };
    const first = await request();
    const second = await request();
    assert.equal(second[0], first[0]);
    assert.notEqual(second[1], first[1]);
    const forced = await request({ 'cache-control': 'no-cache' });
    assert.notEqual(forced[0], first[0]);
    assert.equal((await request())[0], forced[0]);
  });
});

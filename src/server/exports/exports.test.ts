import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Report } from '#contract/reports/reports.ts';
import { readPdf } from '../../../tests/support/exports/read-pdf.ts';
import { readSvg } from '../../../tests/support/exports/read-svg.ts';
import { readSheets } from '../../../tests/support/exports/read-xlsx.ts';
import { onePixel } from '../../../tests/support/image-files.ts';
import { actorOf } from '../../../tests/support/organizations/actors.ts';
import { startNewsroom, type Newsroom } from '../../../tests/support/reports/newsroom.ts';
import { describeOnUsualEngine, problemOf, type Person } from '../../../tests/support/server/test-server.ts';
import { AtriumError } from '../base/errors.ts';
import { createNoSandbox } from '../engine/sandbox/no-sandbox.ts';
import { exportDashboard, type ExportDependencies } from './exports.ts';
import { defaultExportLimits } from './job.ts';
import { createExportSlots, type ExportSlots } from './slots.ts';
import { createSpoolSpace } from './spool.ts';

/** Returns the code of the problem of an export, or an empty text. */
const codeOf = (exported: Promise<unknown>): Promise<string> =>
  exported.then(
    () => '',
    (error: unknown) => (error instanceof AtriumError ? error.code : String(error)),
  );

function temporaryDirectory(context: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'atrium-exports-'));
  context.after(() => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }));
  return directory;
}

const byRegion: Partial<Report> = {
  name: 'By region',
  query:
    'SELECT region, sum(amount) AS amount FROM sales WHERE region = {{region}} OR {{region}} IS NULL GROUP BY region ORDER BY region',
  parameters: [{ name: 'region', label: 'Region', type: 'text' }],
  visualization: { kind: 'bar', x: 'region', series: [{ field: 'amount' }] },
};

/** Creates a dashboard with widgets of reports, and returns its IDs and a function that exports it. */
async function createBoard({ server, owner, organizationId }: Newsroom, widgets: object[]) {
  const created = await server.call('POST /api/dashboards', {
    as: owner,
    body: { name: 'Sales', organizationId, widgets },
  });
  assert.equal(created.status, 201, created.text);
  const id = String(created.body.id);
  const widgetIds: string[] = created.body.widgets.map((widget: { id: string }) => widget.id);
  const get = (path: string, as: Person = owner, headers: Record<string, string> = {}) =>
    server.call(`GET /api/dashboards/${id}${path}`, { as, headers });
  return { id, widgetIds, get };
}

describeOnUsualEngine('an export', (engine) => {
  test('has words in the language of its reader', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const report = await newsroom.save(byRegion);
    const { get } = await createBoard(newsroom, [{ reportId: report.id }]);
    const factOf = async (query: string, language: string) => {
      const file = await get(`/export?file-format=svg${query}`, undefined, { 'accept-language': language });
      assert.equal(file.status, 200, file.text);
      return /Exported|Exportiert/.exec(readSvg(file.bytes).join(' '))?.[0];
    };
    assert.equal(await factOf('', 'en-US'), 'Exported');
    assert.equal(await factOf('', 'de-AT,en;q=0.5'), 'Exportiert');
    assert.equal(await factOf('&text-language=de', 'en-US'), 'Exportiert');
    assert.equal((await get('/export?file-format=svg&text-language=xx')).status, 400);
    const line = `PATCH /api/organizations/${newsroom.organizationId}`;
    await newsroom.server.call(line, { as: newsroom.owner, body: { locale: 'de-DE' } });
    assert.equal(await factOf('', 'en-US'), 'Exportiert');
    assert.equal(await factOf('&text-language=en', 'en-US'), 'Exported');
  });

  test('has the logo of its organization', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const report = await newsroom.save(byRegion);
    const { get } = await createBoard(newsroom, [{ reportId: report.id }]);
    const line = `PUT /api/organizations/${newsroom.organizationId}/logo`;
    const headers = { 'content-type': 'image/png' };
    const sent = await newsroom.server.call(line, { as: newsroom.owner, headers, body: onePixel });
    assert.equal(sent.status, 200, sent.text);
    const pdf = await readPdf((await get('/export?file-format=pdf')).bytes);
    assert.deepEqual(pdf.imageCounts, [1]);
  });

  test('is a file in each format, with the filters of its URL', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const report = await newsroom.save(byRegion);
    const { get, widgetIds } = await createBoard(newsroom, [
      { reportId: report.id, config: { title: 'Übersicht' } },
    ]);
    const xlsx = await get('/export?file-format=xlsx&region=south');
    assert.equal(xlsx.status, 200, xlsx.text);
    assert.match(String(xlsx.headers['content-disposition']), /^attachment; filename="?Sales\.xlsx"?$/);
    const sheets = readSheets(xlsx.bytes);
    assert.deepEqual(sheets.get('Übersicht'), [
      ['region', 'amount'],
      ['south', 70],
    ]);
    assert.deepEqual(sheets.get('About')?.[6], ['Region', 'south', null]);

    const widget = `/widgets/${widgetIds[0]}/export`;
    const svg = await get(`${widget}?file-format=svg&region=south`);
    assert.equal(svg.headers['content-type'], 'image/svg+xml');
    assert.match(String(svg.headers['content-disposition']), /filename\*=UTF-8''%C3%9Cbersicht\.svg/);
    const texts = readSvg(svg.bytes);
    assert.deepEqual(
      [texts[0], texts.includes('south'), texts.includes('north')],
      ['Übersicht', true, false],
    );

    const png = await get(`${widget}?file-format=png`);
    assert.deepEqual([...png.bytes.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
    const pdf = await readPdf((await get('/export?file-format=pdf&region=south')).bytes);
    assert.equal(pdf.pages.length, 1);
    assert.equal(pdf.title, 'Sales');
    for (const shown of ['Region:south', 'Version1', 'Übersicht'])
      assert.ok(pdf.pages[0]?.includes(shown), shown);
  });

  test('has numbers and times as the reader writes them', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const report = await newsroom.save({
      query: "SELECT 1234567.5 AS amount, TIMESTAMPTZ '2026-11-21 23:30:00+00' AS at",
    });
    const { get } = await createBoard(newsroom, [{ reportId: report.id }]);
    const german = await get('/export?file-format=svg&time-zone=Europe/Berlin', newsroom.owner, {
      'accept-language': 'de-DE,en;q=0.5',
    });
    const texts = readSvg(german.bytes);
    for (const shown of ['1.234.567,5', '22.11.2026, 00:30'])
      assert.ok(texts.includes(shown), `${shown} in ${texts.join(' | ')}`);
    const wrong = await get('/export?file-format=svg&time-zone=Moon/Base');
    assert.deepEqual(problemOf(wrong), {
      status: 400,
      code: 'invalid_parameters',
      faults: ['/time-zone time_zone'],
    });
    assert.equal((await get('/export?file-format=exe')).status, 400);
    const odd = await get('/export?file-format=svg', newsroom.owner, { 'accept-language': '\u00ff;;,*' });
    assert.equal(odd.status, 200);
  });

  test('is written and drawn as its organization sets, whatever the language of its reader', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const { server, organizationId, owner } = newsroom;
    const query = "SELECT 'north' AS region, 1234567.5 AS amount";
    const series = [{ field: 'amount' }];
    const price = { ...byRegion, parameters: [], query };
    const number = await newsroom.save({
      ...price,
      visualization: { kind: 'number', value: 'amount', format: { kind: 'currency' } },
    });
    const bars = await newsroom.save({ ...price, visualization: { kind: 'bar', x: 'region', series } });
    const body = { locale: 'de-DE', currency: 'EUR', chartColors: ['#aa0055'] };
    await server.call(`PATCH /api/organizations/${organizationId}`, { as: owner, body });
    const { get, widgetIds } = await createBoard(newsroom, [{ reportId: number.id }, { reportId: bars.id }]);
    const svgOf = async (index: number) =>
      (
        await get(`/widgets/${widgetIds[index]}/export?file-format=svg`, owner, {
          'accept-language': 'en-US',
        })
      ).bytes;
    assert.ok(readSvg(await svgOf(0)).includes('1.234.567,50\u00a0€'));
    const drawn = (await svgOf(1)).toString('utf8');
    assert.match(drawn, /#aa0055/i);
  });

  test('of a text has the values that it refers to', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const report = await newsroom.save(byRegion);
    const other = await newsroom.save({ ...byRegion, name: 'Other' });
    const { get, widgetIds } = await createBoard(newsroom, [
      { reportId: report.id },
      { reportId: other.id, config: { title: 'Not needed' } },
      { reportId: 'builtin:text', config: { text: '**{{By region > amount}}** in {{region}}' } },
    ]);
    const path = `/widgets/${widgetIds[2]}/export?region=south`;
    const svg = await get(`${path}&file-format=svg`);
    assert.equal(svg.status, 200, svg.text);
    assert.deepEqual(readSvg(svg.bytes), ['70', ' in south']);
    const pdf = await readPdf((await get(`${path}&file-format=pdf`)).bytes);
    assert.match(pdf.pages[0] ?? '', /70insouth/);
  });

  test('has the images of its organization', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const { server, organizationId, owner } = newsroom;
    const { body } = await server.call(`POST /api/organizations/${organizationId}/images`, {
      as: owner,
      body: onePixel,
      headers: { 'content-type': 'image/png' },
    });
    const foreign = 'ab'.repeat(32);
    const { get } = await createBoard(newsroom, [
      { reportId: 'builtin:image', config: { image: body.id, description: 'Ours' } },
      { reportId: 'builtin:image', config: { image: foreign, description: 'Not ours' } },
      { reportId: 'builtin:text', config: { text: `![In a text](image:${body.id})` } },
    ]);
    const svg = await get('/export?file-format=svg');
    assert.equal(svg.status, 200, svg.text);
    const drawn = svg.bytes.toString('utf8');
    assert.equal(drawn.split(`data:image/png;base64,${onePixel.toString('base64')}`).length - 1, 2);
    const texts = readSvg(svg.bytes);
    assert.deepEqual(
      ['Ours', 'In a text', 'Not ours'].map((text) => texts.includes(text)),
      [false, false, true],
    );
  });

  test('reads images only when it is its turn, so that waiting needs no memory', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const { server, owner } = newsroom;
    const config = { image: 'ab'.repeat(32) };
    const { id } = await createBoard(newsroom, [{ reportId: 'builtin:image', config }]);
    const read: unknown[] = [];
    const database = new Proxy(server.database, {
      get: (target, name) =>
        name === 'first'
          ? (...query: Parameters<typeof target.first>) => {
              read.push(query[1]);
              return target.first(...query);
            }
          : (Reflect.get(target, name) as unknown),
    });
    const busy = new Error('Busy.');
    const withoutSlot: ExportSlots['admit'] = (_owner, _signal, work) => work(() => Promise.reject(busy));
    // Sound because nothing else is needed before its turn.
    const dependencies = {
      database,
      clock: Date.now,
      publicUrl: '',
      space: createSpoolSpace(),
      slots: { admit: withoutSlot },
      worker: { limits: defaultExportLimits, temporaryDirectory: temporaryDirectory(context) },
    } as unknown as ExportDependencies;
    const input = {
      id,
      format: 'svg',
      values: {},
      hasPatterns: false,
      language: 'en',
      signal: new AbortController().signal,
    } as const;
    const asOwner = actorOf(owner.id);
    await assert.rejects(
      exportDashboard(dependencies, asOwner, { ...input, onFailure: () => undefined }),
      busy,
    );
    assert.ok(read.length > 0);
    assert.ok(!JSON.stringify(read).includes(config.image));
  });

  test('of one organization starts while others wait for the slow queries of their personal dashboards', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const { server, owner, organizationId } = newsroom;
    const report = await newsroom.save(byRegion);
    const left = new AbortController();
    const { promise: query, reject } = Promise.withResolvers<never>();
    left.signal.addEventListener('abort', () => reject(new AtriumError('unavailable', 'The client left.')));
    const directory = temporaryDirectory(context);
    const program = join(directory, 'program.mjs');
    writeFileSync(program, "for await (const _ of process.stdin);\nprocess.stdout.write('a file');");
    const limits = { ...defaultExportLimits, maxWaitMs: 1_000 };
    const workerOptions = { sandbox: createNoSandbox('A test.', ''), limits, temporaryDirectory: directory };
    // Sound because the query of a report begins with its data source.
    const dependencies = {
      database: server.database,
      clock: Date.now,
      publicUrl: '',
      accessLog: { note: () => undefined, record: async () => undefined },
      findSource: () => query,
      space: createSpoolSpace(),
      slots: createExportSlots(limits),
      worker: { ...workerOptions, program },
    } as unknown as ExportDependencies;
    const exportAs = (person: Person, id: string, signal = new AbortController().signal) =>
      exportDashboard(dependencies, actorOf(person.id), {
        id,
        format: 'svg',
        values: {},
        hasPatterns: false,
        language: 'en',
        signal,
        onFailure: () => undefined,
      });
    const attacks: Promise<string>[] = [];
    for (const name of ['Mallory', 'Trudy']) {
      const attacker = await server.createPerson(name);
      await server.addMember(organizationId, attacker, 'editor');
      const body = { name: 'Personal', widgets: [{ reportId: report.id }] };
      const { id } = (await server.call('POST /api/dashboards', { as: attacker, body })).body;
      for (let count = 0; count < 6; count += 1) attacks.push(codeOf(exportAs(attacker, id, left.signal)));
    }
    const { id } = await createBoard(newsroom, [{ reportId: 'builtin:text', config: { text: 'Ours' } }]);
    assert.equal((await exportAs(owner, id)).file.toString(), 'a file');
    left.abort();
    const busy = (await Promise.all(attacks)).filter((code) => code === 'exports_busy');
    assert.equal(busy.length, 2);
    assert.deepEqual(readdirSync(directory), ['program.mjs']);
  });

  test('shows tabs and sections, also collapsed ones, and repeats a section for each value of its filter', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const region = { name: 'region', label: 'Region', type: 'text' } as const;
    const listed = await newsroom.save({
      ...byRegion,
      parameters: [{ ...region, allowed: { values: ['north', 'south', 'west'] } }],
    });
    const section = (key: string, config: object = {}) => ({
      reportId: 'builtin:section',
      config: { key, title: `In {{region}}`, isCollapsed: true, repeat: { filter: 'region' }, ...config },
    });
    const { get } = await createBoard(newsroom, [
      { reportId: 'builtin:tab', config: { key: 'tab', title: 'A tab' } },
      section('s', { parent: 'tab' }),
      { reportId: listed.id, config: { parent: 's', title: 'Sales' } },
      { reportId: 'builtin:text', config: { parent: 's', text: 'Sum: {{Sales > amount}}' } },
      section('unknown', { title: 'Once', repeat: { filter: 'nothing' } }),
      { reportId: 'builtin:text', config: { parent: 'unknown', text: 'Text of a section' } },
    ]);
    const textsOf = async (search: string) => {
      const svg = await get(`/export?file-format=svg${search}`);
      assert.equal(svg.status, 200, svg.text);
      return readSvg(svg.bytes);
    };
    const shown = (texts: readonly string[]) =>
      texts.filter((text) => /^(In |Sum|Once|A tab|Text of|There is no|Shown)/.test(text));
    const once = [
      'Once',
      'There is no filter “nothing” here, so this section is not repeated.',
      'Text of a section',
    ];
    assert.deepEqual(shown(await textsOf('')), [
      ...once,
      'A tab',
      'In north',
      'Sum: 30.5',
      'In south',
      'Sum: 70',
      'In west',
      'Sum: –',
    ]);
    assert.deepEqual(shown(await textsOf('&region=south')), [...once, 'A tab', 'In south', 'Sum: 70']);

    const many = Array.from({ length: 30 }, (_, index) => `&region=r${index}`).join('');
    const plain = await newsroom.save({
      ...byRegion,
      parameters: [{ ...region, type: 'list' }],
      query: 'SELECT {{region}} AS region',
    });
    const board = await createBoard(newsroom, [
      section('s'),
      { reportId: plain.id, config: { parent: 's' } },
    ]);
    const limited = readSvg((await board.get(`/export?file-format=svg${many}`)).bytes);
    assert.equal(limited.filter((text) => text.startsWith('In r')).length, 20);
    assert.ok(limited.includes('Shown for 20 of 30 values. Choose values of “Region” to see others.'));
    const german = readSvg((await board.get(`/export?file-format=svg&text-language=de${many}`)).bytes);
    assert.ok(
      german.includes('Für 20 von 30 Werten angezeigt. Wählen Sie Werte von „Region“, um andere zu sehen.'),
      german.join(' '),
    );
    assert.ok(
      (await textsOf('&text-language=de')).includes(
        'Es gibt hier keinen Filter „nothing“, daher wird dieser Abschnitt nicht wiederholt.',
      ),
    );
    const sheets = readSheets((await get('/export?file-format=xlsx')).bytes);
    assert.deepEqual([...sheets.keys()], ['About', 'Sales – north', 'Sales – south', 'Sales – west']);
    assert.deepEqual(sheets.get('Sales – south'), [
      ['region', 'amount'],
      ['south', 70],
    ]);
  });

  test('has at most 60 repetitions, and says so in the language of its reader', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const flags = await newsroom.save({
      ...byRegion,
      parameters: [
        { name: 'region', type: 'text' },
        { name: 'sold', type: 'boolean' },
      ],
      query: 'SELECT {{region}} AS region, {{sold}} AS sold',
    });
    const sections = ['a', 'b', 'c', 'd'].map((key) => [key, 'region'] as const);
    const { get } = await createBoard(
      newsroom,
      [['flags', 'sold'] as const, ...sections].flatMap(([key, filter]) => [
        { reportId: 'builtin:section', config: { key, title: `In {{${filter}}}`, repeat: { filter } } },
        { reportId: flags.id, config: { parent: key } },
      ]),
    );
    const regions = Array.from({ length: 20 }, (_, index) => `&region=r${index}`).join('');
    const textsIn = async (language: string) => {
      const { status, text, bytes } = await get(
        `/export?file-format=svg&text-language=${language}${regions}`,
      );
      assert.equal(status, 200, text);
      return readSvg(bytes).filter((each) => /^(In [^r]|Shown|Für)/.test(each));
    };
    assert.deepEqual(await textsIn('en'), [
      'In Yes',
      'In No',
      'Shown for 18 of 20 values, since a file has at most 60 repetitions.',
      'Shown for 0 of 20 values, since a file has at most 60 repetitions.',
    ]);
    assert.deepEqual(await textsIn('de'), [
      'In Ja',
      'In Nein',
      'Für 18 von 20 Werten angezeigt, da eine Datei höchstens 60 Wiederholungen hat.',
      'Für 0 von 20 Werten angezeigt, da eine Datei höchstens 60 Wiederholungen hat.',
    ]);
  });

  test('shows only what its reader may see', async (context) => {
    const newsroom = await startNewsroom(context, engine);
    const { server, organizationId } = newsroom;
    const report = await newsroom.save(byRegion);
    const secret = await newsroom.save({ ...byRegion, name: 'Secret' });
    const { id, get, widgetIds } = await createBoard(newsroom, [
      { reportId: report.id },
      { reportId: secret.id },
      { reportId: 'builtin:section', config: { title: 'More' } },
    ]);
    const restricted = await server.call(`PUT /api/reports/${secret.id}/access`, {
      as: newsroom.owner,
      body: { restricted: true, members: [] },
    });
    assert.equal(restricted.status, 200, restricted.text);
    const viewer = await server.createPerson('Vera');
    await server.addMember(organizationId, viewer, 'viewer');
    const sheets = readSheets((await get('/export?file-format=xlsx', viewer)).bytes);
    assert.equal(sheets.size, 3);
    const [, shown, hidden] = [...sheets.values()];
    assert.deepEqual(shown?.[0], ['region', 'amount']);
    assert.deepEqual(hidden?.[0], ['You don’t have access to this report']);

    const stranger = await server.createPerson('Mallory');
    const attempts: readonly [string, Person | undefined][] = [
      ['/export?file-format=pdf', stranger],
      [`/widgets/${widgetIds[0]}/export?file-format=svg`, stranger],
      ['/widgets/none/export?file-format=svg', viewer],
      [`/widgets/${widgetIds[2]}/export?file-format=svg`, viewer],
    ];
    for (const [path, as] of attempts) assert.equal((await get(path, as)).status, 404, path);
    assert.equal((await server.call(`GET /api/dashboards/${id}/export?file-format=pdf`)).status, 401);
  });
});

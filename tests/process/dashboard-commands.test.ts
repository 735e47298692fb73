import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { CommandOutcome } from '../../src/server/commands/run-command.ts';
import {
  addReport,
  addSource,
  documentsOf,
  everythingStored,
  furnish,
  openOffice,
  startOffice,
  type Office,
} from '../support/dashboards/office.ts';
import type { Owner } from '../support/endings.ts';
import { temporaryDirectory } from '../support/server/server-process.ts';
import { runOn } from '../support/server/commands.ts';
import { describeOnUsualEngine, type Engine } from '../support/server/test-server.ts';

interface Desk {
  readonly office: Office;
  /** Not created yet. */
  readonly directory: string;
  run(words: readonly string[], organization?: string): Promise<CommandOutcome>;
  /** The files of the directory with their texts. */
  files(): Record<string, string>;
}

async function startDesk(context: Owner, engine: Engine): Promise<Desk> {
  const office = await startOffice(context, engine);
  const directory = join(temporaryDirectory(context), 'dashboards');
  return {
    office,
    directory,
    run: ([command = '', ...rest], organization = office.organizationId) =>
      runOn(office.server, ['dashboards', command, directory, '--organization', organization, ...rest]),
    files: () =>
      Object.fromEntries(
        readdirSync(directory).map((name) => [name, readFileSync(join(directory, name), 'utf8')]),
      ),
  };
}

const lastLineOf = ({ output, errorOutput }: CommandOutcome): string =>
  (output + errorOutput).split('\n').at(-1) ?? '';

const tailOf = ({ id }: { id: string }): string => id.slice(-12);

describeOnUsualEngine('dashboards on the command line', (engine) => {
  test('have a file each, which is written if they changed and removed if they are gone', async (context) => {
    const { office, directory, run, files } = await startDesk(context, engine);
    await furnish(office);
    const sales = documentsOf(await office.export())[0];
    const text = `${JSON.stringify(sales, null, 2)}\n`;
    assert.deepEqual(lastLineOf(await run(['export'])), '2 written, 0 removed, 0 unchanged');
    const first = files();
    const name = `sales-${tailOf(sales)}.json`;
    assert.equal(first[name], text);
    const writtenMs = statSync(join(directory, name)).mtimeMs;
    assert.deepEqual(await run(['export']), {
      exitCode: 0,
      output: '0 written, 0 removed, 2 unchanged',
      errorOutput: '',
    });
    assert.deepEqual(files(), first);
    assert.equal(statSync(join(directory, name)).mtimeMs, writtenMs);

    const others = {
      'README.md': 'Ours',
      'package.json': '{}',
      'tsconfig.json': '{ // no JSON',
      'r.json': '[1]',
    };
    for (const [other, content] of Object.entries(others)) writeFileSync(join(directory, other), content);
    await office.import([{ ...sales, name: 'Ümsätze / 2027' }]);
    assert.deepEqual((await run(['export'])).output.split('\n'), [
      `written: umsatze-2027-${tailOf(sales)}.json`,
      `removed: ${name}`,
      '1 written, 1 removed, 1 unchanged',
    ]);
    await office.server.call(`DELETE /api/dashboards/${sales.id}`, { as: office.owner });
    assert.deepEqual(lastLineOf(await run(['export'])), '0 written, 1 removed, 1 unchanged');
    const left = Object.entries(first).filter(([one]) => one !== name);
    assert.deepEqual(files(), { ...Object.fromEntries(left), ...others });
  });

  test('never leave the directory, whatever their names are', async (context) => {
    const { office, directory, run, files } = await startDesk(context, engine);
    const names = [
      '../../x',
      '..',
      '/etc/passwd',
      'C:\\x',
      'CON',
      'nul.txt',
      '日本',
      '\u202e',
      ' ',
      '-rf',
      'y'.repeat(1 << 20),
    ];
    const documents = names.map((name, index) => ({
      format: 'atrium.dashboard/1',
      // All ids have the same end, and the names of the files must still differ.
      id: `0190000${index.toString(16)}-0000-7000-8000-0123456789ab`,
      name,
      widgets: [],
    }));
    const twin = { ...documents[0], id: '0190000f-0000-7000-8000-0123456789ab', name: 'X' };
    // Over HTTP, bodies have a size limit.
    for (const part of [documents, [twin]]) assert.equal((await office.import(part)).status, 200);
    await run(['export']);
    const made = Object.keys(files());
    assert.equal(made.length, names.length + 1);
    for (const name of made) assert.match(name, /^[a-z0-9][a-z0-9-]{0,60}-[0-9a-f-]{12,36}\.json$/);
    assert.deepEqual(readdirSync(dirname(directory)), ['dashboards']);
    const before = files();
    assert.equal((await run(['import'])).exitCode, 0);
    await run(['export']);
    assert.deepEqual(files(), before);
  });

  test('are not written if a document cannot be read, or another file has the name', async (context) => {
    const { office, directory, run, files } = await startDesk(context, engine);
    await furnish(office);
    const outside = join(dirname(directory), 'outside.json');
    writeFileSync(outside, 'kept');
    mkdirSync(directory);
    const sales = documentsOf(await office.export())[0];
    symlinkSync(outside, join(directory, `sales-${tailOf(sales)}.json`));
    const linked = await run(['export']);
    assert.equal(linked.exitCode, 1);
    assert.match(
      linked.errorOutput,
      /^sales-.* is not a document of a dashboard or report, and is not overwritten$/,
    );
    assert.equal(readFileSync(outside, 'utf8'), 'kept');
    rmSync(join(directory, `sales-${tailOf(sales)}.json`));

    await run(['export']);
    writeFileSync(join(directory, 'merged.json'), '<<<<<<<\n  "format": "atrium.dashboard/1",');
    writeFileSync(join(directory, 'later.json'), '{"format": "atrium.dashboard/2"}');
    writeFileSync(join(directory, 'empty-0123456789ab.json'), '');
    const before = files();
    await office.server.call(`DELETE /api/dashboards/${sales.id}`, { as: office.owner });
    const refused = await run(['export']);
    assert.equal(refused.exitCode, 1);
    for (const name of [
      'merged.json cannot be read',
      'later.json/format must be one of',
      'empty-0123456789ab.json cannot',
    ])
      assert.ok(refused.errorOutput.includes(name), refused.errorOutput);
    assert.deepEqual(files(), before);
    const stored = await everythingStored(office);
    assert.equal((await run(['import'])).exitCode, 1);
    assert.deepEqual(await everythingStored(office), stored);
  });

  test('are imported from the files, as the dry run shows before', async (context) => {
    const { office, directory, run, files } = await startDesk(context, engine);
    await furnish(office);
    await run(['export']);
    const exported = files();
    const other = await openOffice(office.server);
    const editor = await other.member('editor');
    const before = await everythingStored(office);
    const dryRun = await run(['import', '--dry-run', '--as', editor.email], other.organizationId);
    assert.equal(dryRun.exitCode, 3);
    assert.deepEqual(dryRun.output.split('\n').slice(-2), [
      '2 created, 0 updated, 0 unchanged, 0 restored',
      'This was a dry run. Nothing was changed.',
    ]);
    assert.deepEqual(await everythingStored(office), before);
    const run1 = await run(['import', '--as', editor.email], other.organizationId);
    assert.equal(lastLineOf(run1), '2 created, 0 updated, 0 unchanged, 0 restored');
    const again = await run(['import', '--dry-run'], other.organizationId);
    assert.deepEqual([again.exitCode, lastLineOf(again)], [0, 'This was a dry run. Nothing was changed.']);
    await run(['export'], other.organizationId);
    assert.deepEqual(files(), exported);
    const { body } = await office.server.call(`GET /api/dashboards?organizationId=${other.organizationId}`, {
      as: editor,
    });
    assert.deepEqual(
      body.items.map(({ userId }: { userId: string }) => userId),
      [editor.id, editor.id],
    );

    const [name = '', text = ''] = Object.entries(exported).find(([one]) => one.startsWith('sales-')) ?? [];
    writeFileSync(join(directory, name), text.replace('"Sales"', String.raw`"\u001b[2JSales"`));
    assert.deepEqual((await run(['import'])).output.split('\n').slice(0, 3), [
      `unchanged  dashboard  ${documentsOf(await office.export())[1].id}  ../../etc/passwd`,
      `update     dashboard  ${documentsOf(await office.export())[0].id}   [2JSales`,
      '           Renamed from “Sales” to “ [2JSales”.',
    ]);
    const entries = await office.server.call(
      `GET /api/organizations/${other.organizationId}/audit?action=dashboards.imported`,
      { as: other.owner },
    );
    const [{ actorId, details }] = entries.body.items;
    assert.deepEqual(
      [actorId, details.by, details.as, details.created],
      [undefined, 'operator', editor.email, 2],
    );
  });

  test('pass from one organization to another as NDJSON, like those of the API', async (context) => {
    const { office } = await startDesk(context, engine);
    await furnish(office);
    const other = await openOffice(office.server);
    const run = (command: string, { organizationId }: Office, input = '', ...rest: string[]) =>
      runOn(office.server, ['dashboards', command, '-', '--organization', organizationId, ...rest], {
        input,
      });
    const exported = await run('export', office);
    assert.equal(`${exported.output}\n`, await office.export());
    const imported = await run('import', other, exported.output, '--json');
    const { items } = JSON.parse(imported.output);
    assert.deepEqual(
      [imported.exitCode, items.map(({ action }: { action: string }) => action)],
      [0, ['create', 'create']],
    );
    assert.equal(await other.export(), await office.export());
    const asBody = JSON.parse((await run('export', office, '', '--json')).output);
    assert.equal((await other.import(asBody.documents)).status, 200);

    const refused = await run('import', other, `${exported.output}\n{"format":"atrium.dashboard/1"}`);
    assert.equal(refused.exitCode, 1);
    assert.match(refused.errorOutput, /^documents\/2\/id is required$/m);
    const broken = await run('import', other, '{');
    assert.deepEqual([broken.exitCode, broken.errorOutput.slice(0, 8)], [1, 'Line 1: ']);
    const keys = await run('import', other, String.raw`{"\u001b[2J\u009b":{"__proto__":1}}`);
    assert.match(keys.errorOutput, /^documents\/0\/ \[2J \/__proto__ /);
  });

  test('are imported with a warning for each image that the organization lacks', async (context) => {
    const { office, directory, run } = await startDesk(context, engine);
    const image = 'ab'.repeat(32);
    await office.create({
      name: 'Pictures',
      widgets: [{ reportId: 'builtin:image', config: { image, description: 'Our \u001b[2Jfleet' } }],
    });
    await run(['export']);
    const [dashboard = '', warning] = (await run(['import', '--dry-run'])).output.split('\n');
    assert.match(dashboard, /^unchanged {2}dashboard /, directory);
    assert.equal(
      warning,
      `           Missing image: ${image} (Our  [2Jfleet). Upload it to the organization.`,
    );
  });

  test('are imported together or not at all, with every fault by its file', async (context) => {
    const { office, directory, run } = await startDesk(context, engine);
    await furnish(office);
    await run(['export']);
    const stored = await everythingStored(office);
    const [sales] = documentsOf(await office.export());
    const write = (name: string, value: object) =>
      writeFileSync(join(directory, name), JSON.stringify(value));
    write('copy.json', { ...sales, name: 'Copy' });
    const twins = await run(['import']);
    assert.deepEqual(
      [twins.exitCode, twins.errorOutput],
      [1, `sales-${tailOf(sales)}.json/id must not be the ID of an earlier document`],
    );
    write('copy.json', { ...sales, name: 1, widgets: [{ layout: {} }] });
    write('z.json', { format: 'atrium.dashboard/1' });
    const refused = await run(['import']);
    for (const fault of [
      'copy.json/name must be a string',
      'copy.json/widgets/0/reportId is',
      'z.json/id is required',
    ])
      assert.ok(refused.errorOutput.includes(fault), refused.errorOutput);
    assert.deepEqual(await everythingStored(office), stored);
  });

  test('are exported and imported with the reports that they show', async (context) => {
    const { office, directory, run, files } = await startDesk(context, engine);
    const report = await addReport(office, await addSource(office), { name: 'Revenue \u009b2J' });
    const dashboard = await office.create({ name: 'Sales', widgets: [{ reportId: report.id }] });
    assert.deepEqual(lastLineOf(await run(['export'])), '2 written, 0 removed, 0 unchanged');
    const exported = files();
    const [name, sales] = [`revenue-2j-${tailOf(report)}.report.json`, `sales-${tailOf(dashboard)}.json`];
    assert.deepEqual(Object.keys(exported).toSorted(), [name, sales]);
    assert.equal(JSON.parse(exported[name] ?? '').id, report.id);

    const other = await openOffice(office.server);
    const refused = await run(['import'], other.organizationId);
    assert.deepEqual(
      [refused.exitCode, refused.errorOutput],
      [
        1,
        `${name}/dataSource doesn’t exist, or you may not query it: first create a data source of the kind files with the name “Shop”`,
      ],
    );
    await addSource(other);
    const imported = await run(['import'], other.organizationId);
    const words = imported.output.split('\n').map((line) => line.replaceAll(/[0-9a-f-]{36}/g, 'ID'));
    assert.deepEqual(words, [
      'create     report     ID  Revenue  2J',
      'create     dashboard  ID  Sales',
      '2 created, 0 updated, 0 unchanged, 0 restored',
    ]);
    await run(['export'], other.organizationId);
    assert.deepEqual(files(), exported);

    const none = { ...JSON.parse(exported[sales] ?? ''), widgets: [] };
    writeFileSync(join(directory, sales), JSON.stringify(none));
    await run(['import']);
    assert.deepEqual((await run(['export'])).output.split('\n'), [
      `written: ${sales}`,
      `removed: ${name}`,
      '1 written, 1 removed, 0 unchanged',
    ]);
    writeFileSync(join(directory, name), '<<<<<<<');
    assert.match((await run(['export'])).errorOutput, /report\.json cannot be read/);
  });

  test('belong to an existing organization, by its id or its name', async (context) => {
    const { office, directory, run } = await startDesk(context, engine);
    const viewer = await office.member('viewer');
    assert.equal((await run(['export'], 'Organization')).exitCode, 0);
    assert.equal(
      lastLineOf(await run(['import'], 'Organization')),
      '0 created, 0 updated, 0 unchanged, 0 restored',
    );
    const stranger = (await openOffice(office.server)).owner;
    const misuses = await Promise.all([
      run(['export'], 'Nobody'),
      run(['export'], 'Organization'),
      run(['export', 'another directory']),
      run(['import', '--as', viewer.email]),
      run(['import', '--as', stranger.email]),
      run(['import', '--as', 'nobody@example.com']),
      runOn(office.server, ['dashboards', 'import']),
    ]);
    assert.deepEqual(
      misuses.map(
        ({ exitCode, errorOutput }) => `${exitCode} ${errorOutput.split('\n')[0]?.replace(/:.*/, '')}`,
      ),
      [
        '2 There is no organization with the id or name Nobody.',
        '2 Several organizations have this name. Use one of these ids',
        '2 Only one DIR is allowed.',
        `2 ${viewer.email} must have the editor role or higher in the organization.`,
        `2 ${stranger.email} must have the editor role or higher in the organization.`,
        '2 There is no account with the email address nobody@example.com.',
        '2 DIR is required.',
      ],
    );
    rmSync(directory, { recursive: true });
    assert.equal((await run(['import'])).exitCode, 1);
    writeFileSync(directory, 'a file');
    assert.equal((await run(['export'])).exitCode, 1);
  });
});

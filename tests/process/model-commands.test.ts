import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startNewsroom } from '../support/reports/newsroom.ts';
import { runOn } from '../support/server/commands.ts';
import { temporaryDirectory } from '../support/server/server-process.ts';
import { describeOnUsualEngine } from '../support/server/test-server.ts';

const text = (source: string) => `format: atrium.models/1
dataSource:
  name: ${source}
  kind: files
models:
  - schema: main
    name: sales
    displayName: Sales
    columns:
      - name: amount
        displayName: "Amount: paid"
        format:
          kind: currency
          currency: EUR
    measures:
      - name: Revenue
        formula: sum([amount])
`;

describeOnUsualEngine('models on the command line', (engine) => {
  test('are written and read as YAML, with a plan first, and change nothing the second time', async (context) => {
    const { server, owner: as, organizationId, id } = await startNewsroom(context, engine);
    const source = (await server.call(`GET /api/data-sources/${id}`, { as })).body.name;
    const file = join(temporaryDirectory(context), 'models.yaml');
    const run = (command: string, ...more: string[]) =>
      runOn(server, ['models', command, file, '--organization', organizationId, '--source', source, ...more]);
    writeFileSync(file, text(source));

    const planned = await run('import', '--dry-run');
    assert.deepEqual(
      [planned.exitCode, planned.output.split('\n')],
      [
        3,
        [
          'create     main.sales',
          '1 created, 0 updated, 0 unchanged',
          'This was a dry run. Nothing was changed.',
        ],
      ],
    );
    const models = async () => (await server.call(`GET /api/data-sources/${id}/models`, { as })).body.items;
    assert.deepEqual(await models(), []);
    assert.equal((await run('import')).output, 'create     main.sales\n1 created, 0 updated, 0 unchanged');
    const [{ version }] = await models();
    assert.equal((await run('import', '--dry-run')).exitCode, 0);
    assert.equal((await run('import')).output, 'unchanged  main.sales\n0 created, 0 updated, 1 unchanged');
    assert.equal((await models())[0].version, version);
    const audit = await server.call(`GET /api/organizations/${organizationId}/audit?action=model.saved`, {
      as,
    });
    assert.equal(audit.body.items.length, 1);

    assert.equal((await run('export')).exitCode, 0);
    assert.equal(readFileSync(file, 'utf8'), text(source));
    const ossie = await run('export', '--ossie');
    assert.deepEqual(ossie.output.split('\n'), [
      'sales: Ossie has no format for the column amount.',
      'sales: Ossie has no display name of a table (“Sales”).',
      `1 model written to ${file}`,
    ]);
    assert.match(readFileSync(file, 'utf8'), /^version: 0\.2\.0\.dev0\nsemantic_model:\n/);
    assert.equal((await run('import')).output, 'unchanged  main.sales\n0 created, 0 updated, 1 unchanged');
  });

  test('are refused with every fault, and nothing is stored', async (context) => {
    const { server, owner: as, organizationId, id } = await startNewsroom(context, engine);
    const source = (await server.call(`GET /api/data-sources/${id}`, { as })).body.name;
    const options = ['--organization', organizationId, '--source', source];
    const read = (input: string) => runOn(server, ['models', 'import', '-', ...options], { input });
    const twice = text(source) + text(source).slice(text(source).indexOf('  - schema'));
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x,x]\n${'b c d e f g h'
      .split(' ')
      .map(
        (name, index) =>
          `${name}: &${name} [${Array.from({ length: 10 }, () => `*${'abcdefg'[index]}`).join(',')}]`,
      )
      .join('\n')}`;
    for (const [input, expected] of [
      ['format: [', /yaml|sequence/i],
      ['format: atrium.models/2', /format/],
      [twice, /earlier model/],
      [text(source).replace('sum([amount])', 'sum([amount]'), /formula/],
      [bomb, /alias/i],
    ] as const) {
      const { exitCode, errorOutput } = await read(input);
      assert.equal(exitCode, 1, input);
      assert.match(errorOutput, expected);
    }
    assert.deepEqual((await server.call(`GET /api/data-sources/${id}/models`, { as })).body.items, []);
    const unknown = await runOn(server, ['models', 'export', '-', ...options.slice(0, 3), 'Nothing']);
    assert.equal(unknown.exitCode, 2);
  });
});

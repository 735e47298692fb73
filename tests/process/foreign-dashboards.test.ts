import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { addSource, documentsOf, startOffice } from '../support/dashboards/office.ts';
import { runOn } from '../support/server/commands.ts';
import { describeOnUsualEngine } from '../support/server/test-server.ts';

const folder = join(import.meta.dirname, '../fixtures/importers');
const files = readdirSync(folder).filter((name) => name === 'metabase' || name.endsWith('.json'));

describeOnUsualEngine('dashboards of other programs on the command line', (engine) => {
  test('are imported with the data sources that were chosen', async (context) => {
    const office = await startOffice(context, engine);
    const source = await addSource(office);
    for (const name of files) {
      const words = ['dashboards', 'import', join(folder, name), '--organization', office.organizationId];
      const asked = await runOn(office.server, words);
      assert.equal(asked.exitCode, 2, asked.errorOutput);
      const names = [...asked.errorOutput.matchAll(/--source "([^"]+)=ID"/g)].map((match) => match[1] ?? '');
      assert.ok(names.length > 0, asked.errorOutput);
      const choices = names.flatMap((each) => ['--source', `${each}=${source}`]);
      const dryRun = await runOn(office.server, [...words, ...choices, '--dry-run']);
      assert.equal(dryRun.exitCode, 3, dryRun.errorOutput);
      const imported = await runOn(office.server, [...words, ...choices, '--json']);
      assert.equal(imported.exitCode, 0, imported.errorOutput);
      const { items, notes } = JSON.parse(imported.output);
      assert.ok(items.every(({ action }: { action: string }) => action === 'create'));
      assert.ok(notes.length > 0);
      const again = await runOn(office.server, [...words, ...choices, '--dry-run']);
      assert.equal(again.exitCode, 0, again.output);
      assert.match(again.output, /Lost or changed: /);
    }
    const documents = documentsOf(await office.export());
    assert.equal(documents.filter(({ format }) => format === 'atrium.dashboard/1').length, files.length);
  });

  test('are refused with a wrong choice', async (context) => {
    const office = await startOffice(context, engine);
    const words = [
      'dashboards',
      'import',
      join(folder, files[0] ?? ''),
      '--organization',
      office.organizationId,
    ];
    for (const [choice, message] of [
      ['orders-db', /must have the form NAME=ID/],
      ['orders-db=7', /no data source with the ID 7/],
    ] as const) {
      const refused = await runOn(office.server, [...words, '--source', choice]);
      assert.equal(refused.exitCode, 2);
      assert.match(refused.errorOutput, message);
    }
  });
});

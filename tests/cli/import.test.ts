import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { create } from 'tar';
import { startCliServer, temporaryFolder } from '../support/cli.ts';
import { callAs } from '../support/cli-code.ts';

const fixtures = join(import.meta.dirname, '..', 'fixtures', 'importers');

describe('atrium dashboards import', () => {
  test('imports a dashboard of Grafana with a token, after a plan', async (context) => {
    const cli = await startCliServer(context);
    const path = `/api/organizations/${cli.organizationId}/data-sources`;
    await callAs(cli, `POST ${path}`, { name: 'Shop', kind: 'files' });
    const words = ['dashboards', 'import', join(fixtures, 'grafana-classic.json')];
    const asked = await cli.run(...words);
    assert.equal(asked.code, 2);
    assert.match(asked.errorOutput, /--source "orders-db=ID" {2}grafana-postgresql-datasource, 5 queries/);
    const choices = ['--source', 'orders-db=Shop', '--source', 'old=Shop'];
    const dryRun = await cli.run(...words, ...choices, '--dry-run');
    assert.deepEqual([dryRun.code, dryRun.errorOutput], [3, '']);
    assert.match(dryRun.output, /6 to create, 0 unchanged\nLost or changed: 18\n/);
    assert.match(dryRun.output, /Load: It was replaced by a text/);
    const imported = await cli.run(...words, ...choices, '--json');
    assert.equal(imported.code, 0, imported.errorOutput);
    const { items, noteCount } = JSON.parse(imported.output);
    assert.deepEqual([items.length, noteCount], [6, 18]);
    const again = await cli.run(...words, ...choices, '--dry-run');
    assert.equal(again.code, 0, again.output);
  });

  test('imports an export of Metabase from its archive and from its directory', async (context) => {
    const cli = await startCliServer(context);
    const path = `/api/organizations/${cli.organizationId}/data-sources`;
    const { id } = await callAs(cli, `POST ${path}`, { name: 'Warehouse', kind: 'files' });
    const directory = temporaryFolder(context);
    const archive = join(directory, 'export.tar.gz');
    await create({ cwd: fixtures, file: archive, gzip: true, portable: true }, ['metabase']);
    const imported = await cli.run('dashboards', 'import', archive, '--source', `Shop=${id}`);
    assert.equal(imported.code, 0, imported.errorOutput);
    assert.match(imported.output, /3 to create/);
    const words = [
      'dashboards',
      'import',
      join(fixtures, 'metabase'),
      '--source',
      'Shop=Warehouse',
      '--dry-run',
    ];
    assert.equal((await cli.run(...words)).code, 0);
  });

  test('refuses what it can’t read, and never follows a link', async (context) => {
    const cli = await startCliServer(context);
    const directory = temporaryFolder(context);
    mkdirSync(join(directory, 'collections'));
    writeFileSync(join(directory, 'secret.yaml'), 'serdes/meta: [{ model: Card }]\nname: secret');
    symlinkSync(join(directory, 'secret.yaml'), join(directory, 'collections', 'a.yaml'));
    writeFileSync(join(directory, 'other.json'), '{}');
    writeFileSync(join(directory, 'broken.tar.gz'), 'x');
    for (const [name, code, message] of [
      ['', 2, /not a dashboard of Grafana, and not an export of Metabase/],
      ['other.json', 2, /not a dashboard of Grafana, and not an export of Metabase/],
      ['broken.tar.gz', 2, /The archive is damaged/],
      ['none.json', 1, /ENOENT/],
    ] as const) {
      const refused = await cli.run('dashboards', 'import', join(directory, name));
      assert.equal(refused.code, code, refused.errorOutput);
      assert.match(refused.errorOutput, message);
    }
  });

  test('needs the scope for dashboards', async (context) => {
    const cli = await startCliServer(context, { scopes: ['read'] });
    const file = join(temporaryFolder(context), 'empty.json');
    writeFileSync(file, '{"title":"D","panels":[{"type":"text","options":{"content":"a"}}]}');
    const refused = await cli.run('dashboards', 'import', file);
    assert.equal(refused.code, 1);
    assert.match(refused.errorOutput, /dashboards:write/);
  });
});

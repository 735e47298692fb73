import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sessionCookie } from '#contract/accounts/sessions.ts';
import { contentOf } from '../../src/server/backup/content.ts';
import { checkSecrets } from '../../src/server/backup/verify/secrets.ts';
import { knownSchemaVersion, readSchemaVersion } from '../../src/server/storage/migrations/migrations.ts';
import { openDatabase, openUnchanged } from '../../src/server/storage/open-database.ts';
import { runAt } from '../support/server/backups.ts';
import { runOn } from '../support/server/commands.ts';
import { describeOnBothEngines, startTestServer } from '../support/server/test-server.ts';
import { extractFixture, fixtureContent, fixturesOf } from '../support/storage/fixtures.ts';

describeOnBothEngines('a database of an earlier version', (engine) => {
  for (const fixture of fixturesOf(engine)) {
    test(`is upgraded, and everything in it works: ${fixture}`, async (context) => {
      const { manifest, ...place } = await extractFixture(engine, fixture);
      const run = (...words: string[]) => runAt(place, words);
      const pending = Array.from({ length: knownSchemaVersion - manifest.schemaVersion }, (_, index) =>
        String(manifest.schemaVersion + index + 1),
      );
      const tried = await run('migrate', '--dry-run');
      const stepsOf = (output: string) =>
        output.split('\n').flatMap((line) => /^(\d+): .* \(\d+\.\d\d s\)$/.exec(line)?.[1] ?? []);
      assert.deepEqual(
        [tried.exitCode, stepsOf(tried.output)],
        [pending.length === 0 ? 0 : 3, pending],
        tried.errorOutput,
      );
      const unchanged = await openUnchanged(place);
      assert.equal(await readSchemaVersion(unchanged), manifest.schemaVersion);
      await unchanged.close();
      if (pending.length > 0)
        await assert.rejects(openDatabase(place, { upgrades: false }), /Commands don't upgrade it/);
      const migrated = await run('migrate');
      assert.deepEqual(
        [migrated.exitCode, migrated.output],
        [
          0,
          pending.length === 0
            ? `the schema has version ${knownSchemaVersion}: nothing to do`
            : `upgraded the schema from version ${manifest.schemaVersion} to ${knownSchemaVersion}`,
        ],
        migrated.errorOutput,
      );
      const database = await openDatabase(place, { upgrades: false });
      assert.equal(await readSchemaVersion(database), knownSchemaVersion);
      const server = await startTestServer(context, engine, {}, { ...place, database });
      const { email, password, dashboard, report, table, deletedTable, secretCount } = fixtureContent;

      const signedIn = await server.call('POST /api/auth/sign-in/email', { body: { email, password } });
      assert.equal(signedIn.status, 200, signedIn.text);
      const token =
        new RegExp(`${sessionCookie}=([^;]+)`).exec(String(signedIn.headers['set-cookie']))?.[1] ?? '';
      const as = { id: '', email, token };
      const get = async (path: string) => {
        const { status, body, text } = await server.call(`GET /api/${path}`, { as });
        assert.equal(status, 200, text);
        return body;
      };
      const [organization] = (await get('organizations')).items;
      const [found, ...others] = (await get('dashboards?q=weekly')).items;
      assert.deepEqual([found.name, others], [dashboard, []]);
      const { widgets } = await get(`dashboards/${found.id}`);
      const ran = await server.call(`POST /api/reports/${widgets[0].reportId}/run`, { as, body: {} });
      assert.deepEqual(ran.body.rows, [
        ['north', 30.5],
        ['south', 70],
      ]);
      assert.equal((await get(`reports/${widgets[0].reportId}`)).name, report);
      assert.equal((await get(`dashboards/${found.id}/versions`)).items.length, 2);

      const [deleted] = (await get(`organizations/${organization.id}/trash/tables`)).items;
      assert.equal(deleted.name, deletedTable);
      assert.equal((await server.call(`POST /api/trash/tables/${deleted.id}/restore`, { as })).status, 200);
      const names = (await get(`data-sources/${deleted.dataSourceId}/tables`)).items.map(
        ({ name }: { name: string }) => name,
      );
      assert.deepEqual(names, [deletedTable, table]);

      assert.deepEqual(await checkSecrets(contentOf(database), server.secretBox), {
        count: secretCount,
        faults: [],
      });
      const verified = await runOn(server, ['verify', '--json']);
      assert.deepEqual(JSON.parse(verified.output).faults, []);
    });
  }
});

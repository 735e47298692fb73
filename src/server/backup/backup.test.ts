import assert from 'node:assert/strict';
import {
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { authorizeByCode, commandLine, sendForm } from '../../../tests/support/credentials/oauth.ts';
import { bearer, createServiceAccount, createToken } from '../../../tests/support/credentials/tokens.ts';
import { openFilesOffice } from '../../../tests/support/data-sources/uploads.ts';
import { minutesMs } from '../base/clock.ts';
import { newBearerToken } from '../base/credentials/bearer-tokens.ts';
import { contentOf } from './content.ts';
import { createBackup } from './create.ts';
import { backUp, newBackupPath, runAt, startRestored } from '../../../tests/support/server/backups.ts';
import { runOn } from '../../../tests/support/server/commands.ts';
import {
  createTestPlace,
  describeOnBothEngines,
  problemOf,
  startTestServer,
  type Person,
  type TestServer,
} from '../../../tests/support/server/test-server.ts';
import { sweepSourceFiles } from '../data-sources/tables/sweep.ts';
import { findInstanceId } from '../storage/instance.ts';
import { knownSchemaVersion } from '../storage/migrations/migrations.ts';

/** Stores a data source with a password, which is never connected. */
async function addSecret({ database, secretBox, clock }: TestServer, organizationId: string): Promise<void> {
  const at = new Date(clock()).toISOString();
  const password = secretBox.seal(organizationId, 'data-source-password', 'secret');
  await database.write((transaction) =>
    transaction.execute(
      `insert into data_sources (id, organization_id, name, kind, connection, password, created_at, updated_at)
        values ('s1', '${organizationId}', 'Server', 'postgresql', null, '${password}', '${at}', '${at}')`,
    ),
  );
}

const faultsOf = (output: string): string[] =>
  output
    .split('\n')
    .filter((line) => line.startsWith('fault: '))
    .map((line) => line.slice('fault: '.length));

/** Stores which tokens an organization permits. */
async function putPolicy(
  server: Awaited<ReturnType<typeof startRestored>>,
  as: Person,
  organizationId: string,
  body: object,
): Promise<void> {
  const line = `PUT /api/organizations/${organizationId}/token-policy`;
  assert.equal((await server.call(line, { as, body })).status, 200);
}

describeOnBothEngines('a backup', (engine) => {
  test('is verified, and restored as a server of its own', async (context) => {
    const server = await startTestServer(context, engine);
    const { organizationId, id, owner, upload, path } = await openFilesOffice(server);
    await upload('sales', 'a\n1\n2\n');
    await upload('old', 'a\n3\n');
    assert.equal((await server.call(`DELETE ${path}/tables/old`, { as: owner })).status, 204);
    const created = await server.call('POST /api/dashboards', {
      as: owner,
      body: { organizationId, name: 'Läufe ✓' },
    });
    assert.equal(created.status, 201);
    await addSecret(server, organizationId);
    writeFileSync(
      join(server.dataDirectory, 'secret-key'),
      'the root key of the tests, 32 characters or more',
      {
        mode: 0o600,
      },
    );
    const directory = await backUp(context, server);
    assert.equal(statSync(directory).mode & 0o777, 0o700);
    assert.equal(statSync(join(directory, 'manifest.json')).mode & 0o777, 0o600);
    assert.equal(statSync(join(directory, 'secret-key')).mode & 0o777, 0o600);
    assert.deepEqual(await runAt(server, ['verify', directory]), {
      exitCode: 0,
      output: `${directory}: no faults`,
      errorOutput: '',
    });

    const restored = await startRestored(context, engine, directory);
    assert.notEqual(await findInstanceId(restored.database), await findInstanceId(server.database));
    assert.equal((await restored.call('GET /api/auth/get-session', { as: owner })).status, 401);
    const session = await runOn(restored, ['session', 'create', '--email', owner.email]);
    assert.equal(session.exitCode, 0, session.errorOutput);
    const as = { ...owner, token: session.output };
    const preview = await restored.call(`GET /api/data-sources/${id}/tables/sales/preview`, { as });
    assert.deepEqual(preview.body.rows, [[1], [2]]);
    const report = await restored.call('POST /api/reports/preview', {
      as,
      body: { organizationId, dataSourceId: id, query: 'select sum(a) as total from sales' },
    });
    assert.deepEqual(report.body.rows, [[3]]);
    const dashboard = await restored.call(`GET /api/dashboards/${created.body.id}`, { as });
    assert.equal(dashboard.body.name, 'Läufe ✓');
    const found = await restored.call('GET /api/dashboards?q=lauf', { as });
    assert.deepEqual(
      found.body.items.map(({ name }: { name: string }) => name),
      ['Läufe ✓'],
    );
    const live = await runOn(restored, ['verify']);
    assert.deepEqual(live.output.split('\n'), [`${restored.dataDirectory}: no faults`]);
  });

  test('brings back no credential that was revoked since, until an owner has confirmed it', async (context) => {
    const server = await startTestServer(context, engine);
    const { organizationId, owner } = await openFilesOffice(server);
    const admin = await server.createMember(organizationId, 'admin');
    const revoked = await createToken(server, owner, { organizationId });
    const own = await createToken(server, admin, { organizationId });
    const program = await createServiceAccount(server, admin, { organizationId });
    const invitation = await server.call(`POST /api/organizations/${organizationId}/invitations`, {
      as: owner,
      body: { email: 'eve@example.com', role: 'admin' },
    });
    const webhook = await server.call(`POST /api/organizations/${organizationId}/webhooks`, {
      as: owner,
      body: { url: 'https://hooks.example/', events: ['dashboard.created'] },
    });
    assert.deepEqual([invitation.status, webhook.status], [201, 201]);
    writeFileSync(
      join(server.dataDirectory, 'secret-key'),
      'the root key of the tests, 32 characters or more',
    );
    const authorized = await authorizeByCode(server, owner, { organizationId, scopes: ['read'] });
    const directory = await backUp(context, server);
    assert.equal((await server.call(`DELETE /api/auth/tokens/${revoked.id}`, { as: owner })).status, 204);

    const restored = await startRestored(context, engine, directory);
    const list = `GET /api/organizations/${organizationId}`;
    for (const token of [revoked, program]) {
      const { status, body, headers } = await restored.call(list, bearer(token));
      assert.deepEqual([status, body.code], [401, 'unauthenticated']);
      assert.match(body.detail, /suspended.*somebody confirms/);
      assert.match(String(headers['www-authenticate']), /error="invalid_token"/);
    }
    const unknown = await restored.call(list, bearer({ token: newBearerToken('personal') }));
    assert.equal(unknown.body.detail, 'The token is not valid, has expired or was revoked.');
    // A program that a person authorized learns the reason, too, and its refresh token isn't used up by that.
    const { clientId: client_id } = commandLine;
    const form = { grant_type: 'refresh_token', client_id, refresh_token: authorized.refresh_token };
    const refused = await sendForm(restored, 'token', form);
    assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_grant']);
    assert.match(refused.body.error_description, /suspended.*somebody confirms/);
    const as = await restored.createSsoSession(owner, organizationId, 'password');
    const asAdmin = await restored.createSsoSession(admin, organizationId, 'password');
    const get = async (path: string) => {
      const { status, text, body } = await restored.call(`${list}${path}`, { as });
      assert.equal(status, 200, text);
      return body;
    };
    assert.deepEqual((await get('/invitations')).items, []);
    assert.equal((await get('/webhooks')).items[0].enabled, false);
    const { items } = await get('/tokens');
    assert.deepEqual(new Set(items.map(({ state }: { state: string }) => state)), new Set(['suspended']));

    const confirm = (person: Person, { id }: { id: string }) =>
      restored.call(`POST /api/organizations/${organizationId}/tokens/${id}/confirm`, { as: person });
    assert.equal((await confirm(asAdmin, program)).status, 403);
    assert.equal((await confirm(as, program)).status, 204);
    assert.equal((await restored.call(list, bearer(program))).status, 200);
    assert.equal((await restored.call(list, bearer(revoked))).status, 401);

    // People confirm their own, as they could create one; nobody else's, and not by a token or at an unlocked computer.
    const confirmOwn = (headers: object, { id }: { id: string } = own) =>
      restored.call(`POST /api/auth/tokens/${id}/confirm`, headers);
    assert.equal((await confirmOwn({ as })).status, 404);
    assert.equal((await confirmOwn({ as: asAdmin }, program)).status, 404);
    assert.equal((await confirmOwn(bearer(program))).status, 403);
    await putPolicy(restored, as, organizationId, { personalTokens: false, maxDays: 90 });
    assert.deepEqual(problemOf(await confirmOwn({ as: asAdmin })), { status: 403, code: 'forbidden' });
    await putPolicy(restored, as, organizationId, { personalTokens: true, maxDays: 90 });
    restored.advance(minutesMs(11));
    const late = { status: 403, code: 'confirmation_required' };
    assert.deepEqual(problemOf(await confirmOwn({ as: asAdmin })), late);
    const all = `POST /api/organizations/${organizationId}/tokens/confirm-all`;
    assert.deepEqual(problemOf(await restored.call(all, { as })), late);
    const asAdminNow = await restored.createSsoSession(admin, organizationId, 'password');
    assert.equal((await confirmOwn({ as: asAdminNow })).status, 204);
    assert.equal((await restored.call(list, bearer(own))).status, 200);

    const now = await restored.createSsoSession(owner, organizationId, 'password');
    assert.equal((await restored.call(all, { as: asAdminNow })).status, 403);
    assert.deepEqual((await restored.call(all, { as: now })).body, { confirmed: 2 });
    assert.deepEqual((await restored.call(all, { as: now })).body, { confirmed: 0 });
    assert.equal((await restored.call(list, bearer(revoked))).status, 200);
    assert.equal((await sendForm(restored, 'token', form)).status, 200);
    const entries = (await restored.call(`${list}/audit`, { as: now })).body.items;
    const restoredAt = entries.find(({ action }: { action: string }) => action === 'server.restored');
    const { createdAt } = JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8'));
    assert.deepEqual(restoredAt.details, { backupAt: createdAt });
    assert.deepEqual(
      new Set(
        entries
          .filter(({ action }: { action: string }) => action === 'token.confirmed')
          .map(
            ({ actorId, details }: { actorId: string; details: { tokenId: string; name: string } }) =>
              `${details.tokenId === revoked.id ? 'revoked' : details.name} by ${actorId}`,
          ),
      ),
      new Set([
        `revoked by ${owner.id}`,
        `Atrium command line by ${owner.id}`,
        `${own.name} by ${admin.id}`,
        `${program.name} by ${owner.id}`,
      ]),
    );
  });

  test('names each fault when it is verified, and is not restored then', async (context) => {
    const server = await startTestServer(context, engine);
    const { organizationId, id, upload } = await openFilesOffice(server);
    await upload('sales', 'a\n1\n');
    await upload('other', 'a\n1\n');
    await addSecret(server, organizationId);
    const directory = await backUp(context, server);
    const manifest = JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8'));
    const fileOf = (name: string): string =>
      manifest.files.find((file: { table?: { name: string } }) => file.table?.name === name).path;
    const [sales, other] = [fileOf('sales'), fileOf('other')];
    // The links of the server's files would change, too.
    for (const path of [sales, other]) {
      const bytes = readFileSync(join(directory, path));
      bytes.writeUInt8(bytes.readUInt8(5_000) ^ 1, 5_000);
      unlinkSync(join(directory, path));
      if (path === sales) writeFileSync(join(directory, path), bytes);
    }
    const verified = await runAt(
      server,
      ['verify', directory],
      ['another key of 32 characters, or even more'],
    );
    assert.equal(verified.exitCode, 1);
    assert.deepEqual(
      faultsOf(verified.output).toSorted(),
      [
        `the password of a data source of organization ${organizationId} cannot be decrypted with the key`,
        `${other}: it is missing`,
        `${sales}: its content has changed: the checksum is different`,
      ].toSorted(),
    );
    const place = await createTestPlace(engine);
    context.after(place.drop);
    const restored = await runAt(place, ['restore', directory]);
    assert.equal(restored.exitCode, 1);
    assert.match(restored.errorOutput, /^The backup is damaged, so nothing was restored:\n/);
    assert.deepEqual(readdirSync(place.dataDirectory), []);

    // The same damage in the server.
    const file = join(server.dataDirectory, sales);
    writeFileSync(file, readFileSync(join(directory, sales)));
    unlinkSync(join(server.dataDirectory, other));
    const live = await runOn(server, ['verify']);
    assert.deepEqual(
      [live.exitCode, faultsOf(live.output).toSorted()],
      [
        1,
        [
          `the table other (${other}): its file is missing`,
          `the table sales (${sales}): the content of its file has changed: the checksum is different`,
        ],
      ],
    );
    // What is left is backed up, and the faults are in the backup.
    const next = newBackupPath(context);
    const outcome = await runOn(server, ['backup', next]);
    assert.deepEqual(
      [outcome.exitCode, faultsOf(outcome.output)],
      [1, [`the file of the table other is missing: ${other}`]],
    );
    const again = await runAt(server, ['verify', next]);
    assert.equal(again.exitCode, 1);
    assert.ok(id);
  });

  test('has every file that its database refers to, even if the table is purged before the file is copied', async (context) => {
    const server = await startTestServer(context, engine);
    const { database, dataDirectory, clock } = server;
    const { owner: as, organizationId, id, path, upload } = await openFilesOffice(server);
    await upload('sales', 'a\n1\n');
    assert.equal((await server.call(`DELETE ${path}`, { as })).status, 204);
    const sources = join(dataDirectory, 'sources');
    const files = () =>
      existsSync(join(sources, organizationId, id)) ? readdirSync(join(sources, organizationId, id)) : [];
    const sweep = () =>
      sweepSourceFiles(
        database,
        clock,
        { directory: sources, isSole: true },
        new AbortController().signal,
        () => undefined,
      );
    for (const name of files()) utimesSync(join(sources, organizationId, id, name), new Date(0), new Date(0));
    const directory = newBackupPath(context);
    const manifest = await createBackup(
      { database, clock, dataDirectory, version: '0.0.0-test' },
      directory,
      {
        withKey: true,
        onDatabaseCopied: async () => {
          assert.equal((await server.call(`DELETE /api/trash/data-sources/${id}`, { as })).status, 204);
          await sweep();
          assert.equal(files().length, 1);
        },
      },
    );
    assert.deepEqual(
      [manifest.faults, manifest.files.filter(({ table }) => table !== undefined).length],
      [[], 1],
    );
    // The backup is done, so the file goes.
    await sweep();
    assert.deepEqual(files(), []);
    const restored = await startRestored(context, engine, directory);
    assert.deepEqual(faultsOf((await runOn(restored, ['verify'])).output), []);
  });

  test('is not damaged by another one that starts in the same directory at the same time', async (context) => {
    const server = await startTestServer(context, engine);
    const { database, dataDirectory, clock } = server;
    const directory = newBackupPath(context);
    const create = () =>
      createBackup({ database, clock, dataDirectory, version: '0.0.0-test' }, directory, { withKey: true });
    const outcomes = await Promise.allSettled([create(), create(), create()]);
    assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected', 'rejected']);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') assert.match(String(outcome.reason), /is not empty/);
    const { exitCode, output } = await runAt(server, ['verify', directory]);
    assert.equal(exitCode, 0, output);
  });

  test('fails if nothing has held the files of tables for a while, and leaves nothing', async (context) => {
    const { database, dataDirectory, clock } = await startTestServer(context, engine);
    let sleptMs = 0;
    const directory = newBackupPath(context);
    const dependencies = {
      database,
      clock: () => clock() + sleptMs,
      dataDirectory,
      version: '0.0.0-test',
    };
    const onDatabaseCopied = async () => {
      sleptMs = minutesMs(3);
    };
    await assert.rejects(createBackup(dependencies, directory, { withKey: true, onDatabaseCopied }), {
      code: 'unavailable',
      message: /^The backup was interrupted for longer than two minutes/,
    });
    assert.equal(existsSync(directory), false);
    assert.deepEqual(await Array.fromAsync(contentOf(database).rowsOf('file_leases')), []);
    // Nothing is left that would prevent the next one.
    const { faults } = await createBackup(dependencies, directory, { withKey: true });
    assert.deepEqual(faults, []);
  });

  test('without a manifest, of a newer version or of another engine is refused', async (context) => {
    const server = await startTestServer(context, engine);
    const directory = await backUp(context, server, '--without-key');
    const place = await createTestPlace(engine);
    context.after(place.drop);
    const refusal = async (words: readonly string[], at: Parameters<typeof runAt>[0] = place) =>
      (await runAt(at, words)).errorOutput;
    const manifest = join(directory, 'manifest.json');
    const written = readFileSync(manifest, 'utf8');
    const rewrite = (changed: object) =>
      writeFileSync(manifest, JSON.stringify({ ...JSON.parse(written), ...changed }));
    rewrite({ schemaVersion: knownSchemaVersion + 1 });
    assert.match(await refusal(['restore', directory]), /^The backup is from Atrium .* Use Atrium/);
    rewrite({ engine: engine === 'SQLite' ? 'PostgreSQL' : 'SQLite' });
    assert.match(await refusal(['restore', directory]), /^The backup is of .*et DATABASE_URL/);
    rewrite({});
    assert.match(
      await refusal(['restore', directory], server),
      /is not empty, and restoring never overwrites anything/,
    );
    unlinkSync(manifest);
    for (const name of ['verify', 'restore'])
      assert.match(await refusal([name, directory]), /is not a complete backup: it has no manifest\.json/);
    const again = await runOn(server, ['backup', directory]);
    assert.match(again.errorOutput, /is not empty\. Choose a new directory for the backup\.$/);
    assert.ok(existsSync(directory));
  });
});

test('a backup of PostgreSQL can have the output of a dump command, which the operator restores', async (context) => {
  const server = await startTestServer(context, 'PostgreSQL');
  const { upload } = await openFilesOffice(server);
  await upload('sales', 'a\n1\n');
  const failing = newBackupPath(context);
  const failed = await runOn(server, ['backup', failing, '--dump', 'echo no >&2; exit 3']);
  assert.deepEqual([failed.exitCode, failed.errorOutput], [1, 'The command of --dump failed (3):\nno']);
  assert.equal(existsSync(failing), false);

  const directory = await backUp(context, server, '--dump', 'echo "dump of $ATRIUM_SNAPSHOT, $PGDATABASE"');
  assert.match(readFileSync(join(directory, 'database.dump'), 'utf8'), /^dump of [0-9A-F-]+, \w+\n$/);
  const verified = await runAt(server, ['verify', directory]);
  assert.deepEqual([verified.exitCode, faultsOf(verified.output)], [0, []]);
  const place = await createTestPlace('PostgreSQL');
  context.after(place.drop);
  const early = await runAt(place, ['restore', directory]);
  assert.match(early.errorOutput, /^The database of the backup is in .*database\.dump\. .*`pg_restore /);
});

import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { readArchive } from '../../../../tests/support/archives.ts';
import { callAs, codeSecrets } from '../../../../tests/support/cli-code.ts';
import { runIn, startCliServer, temporaryFolder, type CliServer } from '../../../../tests/support/cli.ts';
import { exportLine, furnish, readExport } from '../../../../tests/support/data-export/export.ts';
import { furnishCredentials, secretsIn } from '../../../../tests/support/data-export/secrets.ts';
import { filesOfficeOf, openFilesOffice } from '../../../../tests/support/data-sources/uploads.ts';
import {
  describeOnBothEngines,
  describeOnUsualEngine,
  startTestServer,
  type Engine,
} from '../../../../tests/support/server/test-server.ts';
import { createAccessLog } from '../../access-log/access-log.ts';
import { minutesMs } from '../../base/clock.ts';
import { raw } from '../../backup/content.ts';
import { createExportSlots } from '../../exports/slots.ts';
import { exportedTables } from './columns.ts';
import { archiveOf, exportOrganization, requireReady } from './export.ts';
import { dataExportLimits } from './limits.ts';
import { exportedNames } from './row-queries.ts';
import { sourcesDirectory } from '../../storage/data-directory.ts';

const startOn = (context: TestContext, engine: Engine): Promise<CliServer> =>
  startCliServer(context, { engine });

describeOnBothEngines('the export of an organization', (engine) => {
  test('has everything of it, and a checksum of each file', async (context) => {
    const cli = await startOn(context, engine);
    const { server, person, organizationId } = cli;
    const { ids } = await furnish(cli);
    server.mailServer.state = 'accepts';
    await server.database.write((transaction) =>
      transaction.execute(`update users set is_email_verified = 1`),
    );
    const { files, lines } = await readExport(cli);
    const manifest = JSON.parse(String(files.get('manifest.json')));
    assert.deepEqual(
      [manifest.format, manifest.formatVersion, manifest.organization.id, manifest.faults],
      ['atrium.organization-export', 1, organizationId, []],
    );
    for (const { path, sha256 } of manifest.files)
      assert.equal(
        createHash('sha256')
          .update(files.get(path) ?? '')
          .digest('hex'),
        sha256,
      );
    assert.deepEqual(
      [...files.keys()].filter((path) => path.startsWith('tables/')).toSorted(),
      exportedNames.map((table) => `tables/${table}.ndjson`).toSorted(),
    );
    const namesIn = (table: string) => lines(`tables/${table}.ndjson`).map(({ name }) => String(name));
    assert.deepEqual(namesIn('dashboards').toSorted(), ['../../Sales: "EU"', 'Second']);
    assert.deepEqual(namesIn('data_sources').toSorted(), ['Uploads', 'Warehouse']);
    assert.deepEqual(namesIn('source_tables'), ['sales']);
    assert.deepEqual(namesIn('deleted_tables'), ['old']);
    assert.deepEqual(namesIn('display_links'), ['Lobby']);
    assert.equal(lines('tables/webhooks.ndjson')[0]?.['url'], 'https://hooks.example.com/…');
    assert.deepEqual(
      lines('tables/dashboard_versions.ndjson').map(({ record_id: id, version }) => [id, version]),
      [[ids['dashboard'], 1]],
    );
    const tables = [...files.keys()].filter((path) => path.startsWith('uploads/'));
    assert.deepEqual(tables, [
      `uploads/${ids['files']}/sales.duckdb`,
      `uploads/${ids['files']}/trash/old.duckdb`,
    ]);
    assert.match(String(files.get('README.txt')), /^Data of /);
    assert.ok(lines('access-review.ndjson').length > 0);

    // Both logs have recorded it before it began.
    assert.equal(lines('logs/audit.ndjson').at(-1)?.['action'], 'organization.exported');
    assert.equal(lines('logs/access.ndjson').at(-1)?.['action'], 'organization.exported');
    assert.deepEqual(
      server.mails.map(({ to, subject }) => [
        to,
        subject === 'All data of your Atrium organization was downloaded',
      ]),
      [[person.email, true]],
    );
  });

  test('has logs whose chains anyone can check', async (context) => {
    const cli = await startOn(context, engine);
    await furnish(cli);
    const { lines } = await readExport(cli);
    const chains = lines('tables/log_chains.ndjson');
    for (const log of ['audit', 'access']) {
      let hash = '0'.repeat(64);
      const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
      for (const entry of lines(`logs/${log}.ndjson`)) {
        const { hash: stored, details, detailsSalt, ...content } = entry;
        const text = JSON.stringify(details);
        if (log === 'audit') assert.equal(sha256(`${String(detailsSalt)}\n${text}`), content['detailsHash']);
        else content['details'] = text;
        hash = sha256(`${hash}\n${JSON.stringify(content, Object.keys(content).toSorted())}`);
        assert.equal(hash, stored);
      }
      assert.equal(chains.find((chain) => chain['log'] === log)?.['hash'], hash);
    }
  });
});

describeOnUsualEngine('the export of one organization', (engine) => {
  test('has no secret, and nothing that proves one', async (context) => {
    const cli = await startOn(context, engine);
    const { secrets } = await furnish(cli);
    assert.ok(secrets.length >= 9, `${secrets.length} secrets`);
    const credentials = await furnishCredentials(cli);
    assert.equal(credentials.length, 11);
    const { text, lines } = await readExport(cli);
    assert.equal(lines('tables/sso_certificates.ndjson').length, 1);
    for (const value of credentials) assert.ok(!text.includes(value), `${value} is in the archive`);
    const stored = await secretsIn(cli);
    assert.ok(stored.length >= 8, `${stored.length} stored secrets`);
    for (const secret of [...secrets, ...stored]) {
      assert.ok(!text.includes(secret), `${secret} is in the archive`);
      for (const encoding of ['hex', 'base64url', 'base64'] as const)
        assert.ok(
          !text.includes(createHash('sha256').update(secret).digest(encoding)),
          `a hash of ${secret}`,
        );
    }
  });

  test('is not started by a page of another site, nor by HEAD, which would mail the owners', async (context) => {
    const { server, person, organizationId } = await startOn(context, engine);
    const line = exportLine(organizationId);
    for (const site of ['cross-site', 'same-site']) {
      const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate', accept: 'text/html' };
      const { status, body } = await server.call(line, { as: person, headers });
      assert.deepEqual([status, body.code], [403, 'forbidden']);
    }
    assert.equal((await server.call(line.replace('GET', 'HEAD'), { as: person })).status, 405);
    const { body: audit } = await server.call(`GET /api/organizations/${organizationId}/audit`, {
      as: person,
    });
    assert.ok(!audit.items.some(({ action }: { action: string }) => action === 'organization.exported'));
    assert.deepEqual(server.mails, []);
    const headers = { 'sec-fetch-site': 'same-origin' };
    assert.equal((await server.call(line, { as: person, headers })).status, 200);
  });

  test('has nothing of other organizations, even of people who belong to both', async (context) => {
    const cli = await startOn(context, engine);
    const { server, person, organizationId } = cli;
    await furnish(cli);
    const other = await openFilesOffice(server);
    await server.addMember(other.organizationId, person, 'owner');
    await server.addMember(organizationId, other.owner, 'editor');
    await other.upload('foreign_marker', 'foreign_marker\nforeign_marker\n');
    for (const body of [
      { organizationId: other.organizationId, name: 'foreign_marker' },
      { name: 'foreign_marker' },
    ])
      await callAs(cli, 'POST /api/dashboards', body);
    await callAs(cli, `PATCH /api/organizations/${other.organizationId}`, { name: 'foreign_marker' });
    const { text } = await readExport(cli);
    assert.ok(!text.includes('foreign_marker'));
    assert.ok(!text.includes(other.organizationId));
  });

  test('can be pushed to another server', async (context) => {
    const one = await startOn(context, engine);
    const two = await startCliServer(context);
    const { ids } = await furnish(one);
    await callAs(one, `POST /api/trash/dashboards/${ids['second']}/restore`);
    const bob = await two.server.createPerson('Bob');
    await two.server.addMember(two.organizationId, bob, 'viewer');
    const { files } = await readExport(one);
    const directory = join(temporaryFolder(context), 'code');
    mkdirSync(directory);
    for (const [path, content] of files)
      if (path.startsWith('as-code/')) writeFileSync(join(directory, basename(path)), content);
    const environment = { ...two.environment, ...codeSecrets };
    const pushed = await runIn(environment, ['push', directory, '--yes']);
    assert.equal(pushed.code, 0, pushed.output + pushed.errorOutput);
    const compared = await runIn(environment, ['diff', directory]);
    assert.equal(compared.code, 0, compared.output + compared.errorOutput);
    const own = await runIn({ ...one.environment, ...codeSecrets }, ['diff', directory]);
    assert.equal(own.code, 0, own.output + own.errorOutput);
  });
});

test('every column of the schema is exported, or left out with a reason', async (context) => {
  const { database } = await startTestServer(context, 'SQLite');
  for (const [table, entry] of Object.entries(exportedTables)) {
    if (!('columns' in entry)) continue;
    const columns = await database.all(
      raw<{ name: string }>(`select name from pragma_table_info('${table}')`),
      {},
    );
    assert.deepEqual(
      Object.keys(entry.columns).toSorted(),
      columns.map(({ name }) => name).toSorted(),
      table,
    );
  }
});

test('says that the export was interrupted if nothing has held the files of tables for a while', async (context) => {
  const { database, clock } = await startTestServer(context, 'SQLite');
  let sleptMs = 0;
  const archive = archiveOf(
    { database, clock: () => clock() + sleptMs },
    { organizationId: 'any', name: 'Any', signal: new AbortController().signal },
    async () => {
      sleptMs = minutesMs(3);
      return [];
    },
  );
  await assert.rejects(buffer(archive), {
    message: /^The export was interrupted for longer than two minutes/,
  });
});

describe('an export in progress', () => {
  const start = async (context: TestContext) => {
    const cli = await startCliServer(context);
    const { server, person, organizationId, environment } = cli;
    const office = filesOfficeOf(server, {
      owner: person,
      organizationId,
      id: (
        await callAs(cli, `POST /api/organizations/${organizationId}/data-sources`, {
          name: 'F',
          kind: 'files',
        })
      ).id,
    });
    // Does not compress, so that the client has to read for the export to go on.
    await office.upload(
      'noise',
      randomBytes(24 * 1024 ** 2)
        .toString('base64')
        .replaceAll(/.{64}/g, '$&\n'),
    );
    const url = `${environment.ATRIUM_URL}/api/organizations/${organizationId}/data-export`;
    const open = (signal?: AbortSignal) =>
      fetch(url, { headers: { cookie: `auth.session_token=${person.token}` }, ...(signal && { signal }) });
    return { cli, open };
  };

  test('is the only one of its organization, and makes room when the client hangs up', async (context) => {
    const { cli, open } = await start(context);
    const leave = new AbortController();
    const first = await open(leave.signal);
    assert.equal(first.status, 200);
    const second = await open();
    assert.deepEqual(
      [second.status, ((await second.json()) as { code: string }).code],
      [503, 'exports_busy'],
    );
    const { server, person, organizationId } = cli;
    const checked = await server.call(`${exportLine(organizationId)}/contents?for=download`, { as: person });
    assert.equal(checked.body.code, 'exports_busy');
    leave.abort();
    const complete = async (): Promise<boolean> => {
      const next = await open();
      const bytes = Buffer.from(await next.arrayBuffer());
      return next.status === 200 && (await readArchive(bytes)).has('manifest.json');
    };
    let isComplete = false;
    for (let attempt = 0; !isComplete && attempt < 100; attempt += 1) {
      isComplete = await complete();
      if (!isComplete) await delay(50);
    }
    assert.ok(isComplete);
  });

  test('ends without becoming a complete archive when the person is no longer an owner', async (context) => {
    const { cli, open } = await start(context);
    const { server, person, organizationId } = cli;
    const response = await open();
    server.expectErrors();
    await server.database.write((transaction) =>
      transaction.execute(
        `update members set role = 'admin' where user_id = '${person.id}' and organization_id = '${organizationId}'`,
      ),
    );
    await assert.rejects(response.arrayBuffer());
  });

  test('ends after a while, so that a slow client doesn’t take the place of others', async (context) => {
    const { cli } = await start(context);
    const { server, person, organizationId } = cli;
    const { database, clock, dataDirectory } = server;
    const dependencies = {
      database,
      clock,
      files: { directory: sourcesDirectory(dataDirectory), remote: undefined },
      accessLog: createAccessLog(server, { onFailure: assert.ifError, onLost: assert.ifError }),
      slots: createExportSlots(dataExportLimits),
      maxDurationMs: 1_000,
    };
    const [session] = await database.all(
      raw<{ id: string }>(`select id from sessions where user_id = '${person.id}'`),
      {},
    );
    const actor = {
      userId: person.id,
      credential: { kind: 'session', id: session?.id ?? '', method: 'password', confirmedAt: clock() },
      scope: 'all',
      satisfiesSso: true,
    } as const;
    const { signal } = new AbortController();
    const open = () => exportOrganization(dependencies, actor, { organizationId, signal });
    // Nothing is read.
    const { archive } = await open();
    await assert.rejects(requireReady(dependencies, actor, { organizationId, signal }), {
      code: 'exports_busy',
    });
    await assert.rejects(once(archive, 'end'), { name: 'AbortError' });
    const next = await open();
    next.archive.destroy();
  });
});

test('needs an owner who has just confirmed their identity, in a session', async (context) => {
  const cli = await startCliServer(context);
  const { server, person, organizationId, environment } = cli;
  const byToken = await server.call(exportLine(organizationId), {
    headers: { authorization: `Bearer ${environment.ATRIUM_TOKEN}` },
  });
  assert.equal(byToken.status, 403);
  const admin = await server.createMember(organizationId, 'admin');
  assert.equal((await server.call(exportLine(organizationId), { as: admin })).body.code, 'forbidden');
  const stranger = await server.createPerson('Eve');
  assert.equal((await server.call(exportLine(organizationId), { as: stranger })).status, 404);
  server.advance(minutesMs(11));
  const late = await server.call(exportLine(organizationId), { as: person });
  assert.equal(late.body.code, 'confirmation_required');
  const counted = await server.call(`${exportLine(organizationId)}/contents`, { as: person });
  assert.deepEqual([counted.status, counted.body.tables], [200, 0]);
  const checked = await server.call(`${exportLine(organizationId)}/contents?for=download`, { as: person });
  assert.equal(checked.body.code, 'confirmation_required');
});

test('is not started by HEAD, which programs send before downloads', async (context) => {
  const { server, person, organizationId } = await startCliServer(context);
  const response = await server.call(exportLine(organizationId).replace('GET', 'HEAD'), { as: person });
  assert.deepEqual([response.status, response.headers['allow']], [405, 'GET, OPTIONS']);
  const log = await server.call(`GET /api/organizations/${organizationId}/audit`, { as: person });
  assert.ok(!log.text.includes('organization.exported'));
  assert.deepEqual(server.mails, []);
});

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { runIn, startCliServer, temporaryFolder, type CliServer } from '../support/cli.ts';
import { callAs, codeSecrets, furnishCode, warehouse } from '../support/cli-code.ts';

/** Starts a server with something of everything, and pulls it. */
async function startPulled(context: Parameters<typeof startCliServer>[0]) {
  const cli = await startCliServer(context);
  const ids = await furnishCode(cli);
  const directory = join(temporaryFolder(context), 'code');
  const pulled = await cli.run('pull', directory);
  assert.deepEqual([pulled.code, pulled.errorOutput], [0, '']);
  const edit = (start: string, change: (document: Record<string, unknown>) => object) => {
    const name =
      readdirSync(directory).find((file) => file.startsWith(start) && !file.endsWith('.models.json')) ?? '';
    const path = join(directory, name);
    writeFileSync(
      path,
      JSON.stringify(change(JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>)),
    );
    return name;
  };
  return { cli, ids, directory, edit };
}

const ask = (cli: CliServer, words: readonly string[], confirm: () => Promise<boolean>) =>
  runIn({ ...cli.environment, ...codeSecrets }, words, { confirm });

describe('a push', () => {
  test('shows its plan, and acts only after a confirmation', async (context) => {
    const { cli, directory, edit } = await startPulled(context);
    edit('second-', (document) => ({ ...document, name: 'Renamed' }));
    const refused = await cli.run('push', directory);
    assert.equal(refused.code, 2);
    const declined = await ask(cli, ['push', directory], async () => false);
    assert.deepEqual([declined.code, declined.errorOutput], [1, 'Nothing was changed.\n']);
    assert.match(declined.output, /^~ update {3}dashboard {7}Renamed\n {4}Renamed from “Second” to “Renamed”[.]\n1 to update, 13 unchanged\n$/m); // prettier-ignore
    assert.equal((await cli.run('dashboards', 'diff', directory)).code, 3);
    const made = await ask(cli, ['push', directory], async () => true);
    assert.deepEqual([made.code, made.output.endsWith('\nDone.\n')], [0, true]);
    assert.equal((await cli.run('dashboards', 'diff', directory)).code, 0);
  });

  test('loses nothing that others changed between the plan and the confirmation', async (context) => {
    const { cli, ids, directory, edit } = await startPulled(context);
    const changedMeanwhile = async (
      words: readonly string[],
      change: () => Promise<unknown>,
      expected: RegExp,
    ) => {
      const exit = await ask(cli, [...words, directory], async () => {
        await change();
        return true;
      });
      assert.equal(exit.code, 1, exit.output);
      assert.match(exit.errorOutput, expected);
      assert.match(exit.errorOutput, /Nothing was changed[.]\nNot done:\n/);
    };
    edit('second-', (document) => ({ ...document, name: 'Mine' }));
    await changedMeanwhile(
      ['dashboards', 'push'],
      () => callAs(cli, `PATCH /api/dashboards/${ids['second']}`, { name: 'Theirs' }, { 'if-match': '"1"' }),
      /^Others have changed these since the plan.*\n {2}Mine\n/,
    );
    const { name } = await callAs(cli, `GET /api/dashboards/${ids['second']}`);
    assert.equal(name, 'Theirs');

    edit('warehouse-', (document) => ({
      ...document,
      connection: { ...(document['connection'] as object), port: 5433 },
    }));
    const source = `/api/data-sources/${ids['database']}`;
    await changedMeanwhile(
      ['sources', 'push'],
      async () => {
        const stored = await callAs(cli, `GET ${source}`);
        await callAs(cli, `PUT ${source}`, {
          name: stored.name,
          kind: stored.kind,
          connection: { ...warehouse, port: 5434 },
        });
      },
      /^Others have changed the data source Warehouse/,
    );
    assert.equal((await callAs(cli, `GET ${source}`)).connection.port, 5434);

    const organization = `/api/organizations/${cli.organizationId}`;
    edit('members', (document) => ({
      ...document,
      members: (document['members'] as { role: string }[]).map((member) =>
        member.role === 'editor' ? { ...member, role: 'viewer' } : member,
      ),
    }));
    await changedMeanwhile(
      ['members', 'push'],
      () => callAs(cli, `PATCH ${organization}/members/${ids['bob']}`, { role: 'admin' }),
      /^Others have changed the role of bob/,
    );

    edit('sso', (document) => ({
      ...document,
      policy: { ...(document['policy'] as object), defaultRole: 'editor' },
    }));
    const policy = `/api/sso/orgs/${cli.organizationId}/policy`;
    await changedMeanwhile(
      ['sso', 'push'],
      () => callAs(cli, `PUT ${policy}`, { requireSso: false, defaultRole: 'admin', roleMappings: [] }),
      /^Others have changed the sign-in policy/,
    );
    assert.equal((await callAs(cli, `GET ${policy}`)).defaultRole, 'admin');
  });

  test('needs a secret only if the server would not have it, and never shows it', async (context) => {
    const { cli, directory, edit } = await startPulled(context);
    edit('warehouse-', (document) => ({
      ...document,
      connection: { ...(document['connection'] as object), host: 'other.example.com' },
    }));
    const missing = await cli.run('sources', 'push', directory, '--yes');
    assert.equal(missing.code, 1);
    assert.match(missing.errorOutput, /Nothing was changed:\nwarehouse-[0-9a-f]{12}[.]source[.]json: set the environment variable ATRIUM_CODE_SECRET_WAREHOUSE to the secret\n$/); // prettier-ignore
    const environment = { ...cli.environment, ...codeSecrets };
    const sent = await runIn(environment, ['sources', 'push', directory, '--yes']);
    assert.equal(sent.code, 0, sent.errorOutput);
    assert.match(sent.output, /host: "db[.]example[.]com" → "other[.]example[.]com"/);
    const again = await runIn(environment, [
      'sources',
      'push',
      directory,
      '--yes',
      '--secrets',
      '--detailed-exitcode',
    ]);
    assert.equal(again.code, 3);
    assert.match(again.output, /The password is sent[.]/);
    for (const { output, errorOutput } of [missing, sent, again])
      assert.doesNotMatch(output + errorOutput, /canary/);
  });

  test('sends no other variable of the environment, whatever a file names', async (context) => {
    const { cli, directory, edit } = await startPulled(context);
    for (const environment of [
      'ATRIUM_TOKEN',
      'ATRIUM_SECRET_KEY',
      'PATH',
      'ATRIUM_CODE_SECRET_',
      '__proto__',
    ]) {
      const file = edit('warehouse-', (document) => ({
        ...document,
        connection: { ...(document['connection'] as object), host: 'evil.test', password: { environment } },
      }));
      const exit = await cli.run('sources', 'push', directory, '--yes');
      assert.equal(exit.code, 1);
      assert.equal(
        exit.errorOutput,
        `${file}: connection/password/environment must be the name of an environment variable that starts with ATRIUM_CODE_SECRET_\n`,
      );
    }
  });

  test('has a variable of its own for each data source', async (context) => {
    const cli = await startCliServer(context);
    for (const name of ['Sales EU', 'sales-eu', '売上', '顧客'])
      await callAs(cli, `POST /api/organizations/${cli.organizationId}/data-sources`, {
        name,
        kind: 'postgresql',
        connection: { host: 'db', port: 1, database: 'd', user: 'u', tls: 'off', password: 'p' },
      });
    const directory = temporaryFolder(context);
    const names = () => {
      const files = readdirSync(directory).map((file) => readFileSync(join(directory, file), 'utf8'));
      return files.flatMap((text) => /"environment": "(\w+)"/.exec(text)?.[1] ?? []).toSorted();
    };
    assert.equal((await cli.run('sources', 'pull', directory)).code, 0);
    const expected = ['SALES_EU', 'SALES_EU_2', 'SOURCE', 'SOURCE_2'].map(
      (name) => `ATRIUM_CODE_SECRET_${name}`,
    );
    assert.deepEqual(names(), expected);
    assert.match((await cli.run('sources', 'pull', directory)).output, /, 4 unchanged\n$/);
  });

  test('stores nothing of the dashboards and reports if one is invalid, and names the file', async (context) => {
    const { cli, directory, edit } = await startPulled(context);
    edit('second-', (document) => ({ ...document, name: 'Renamed' }));
    const file = edit('orders-', (document) => ({
      ...document,
      query: '',
      dataSource: { name: 'Gone', kind: 'files' },
    }));
    const exit = await cli.run('push', directory, '--yes');
    assert.equal(exit.code, 1);
    assert.ok(exit.errorOutput.includes(`  ${file}: query must have at least 1 character`), exit.errorOutput);
    edit('orders-', (document) => ({ ...document, query: 'select 1' }));
    const unknown = await cli.run('push', directory, '--yes');
    assert.ok(unknown.errorOutput.includes(`  ${file}: dataSource doesn’t exist`), unknown.errorOutput);
  });

  test('deletes only with --prune, and nothing for an empty directory', async (context) => {
    const { cli, ids, directory } = await startPulled(context);
    const empty = await cli.run('push', temporaryFolder(context), '--prune', '--yes');
    assert.deepEqual([empty.code, /has no files of this kind/.test(empty.errorOutput)], [1, true]);
    const file = readdirSync(directory).find((name) => name.startsWith('second-')) ?? '';
    rmSync(join(directory, file));
    assert.equal((await cli.run('dashboards', 'push', directory, '--yes')).code, 0);
    assert.equal((await callAs(cli, `GET /api/dashboards/${ids['second']}`)).name, 'Second');
    const pruned = await cli.run('dashboards', 'push', directory, '--prune', '--yes');
    assert.match(pruned.output, /^- delete {3}dashboard {7}Second\n {4}Is moved to the trash[.]\n/);
    const trash = await callAs(cli, 'GET /api/trash/dashboards');
    assert.deepEqual(
      trash.items.map(({ name }: { name: string }) => name),
      ['Second'],
    );
    const reports = await callAs(cli, `GET /api/reports?organizationId=${cli.organizationId}`);
    assert.equal(reports.items.length, 2, 'reports are not pruned with dashboards');
  });

  test('says before it acts what only an owner can change in the browser', async (context) => {
    const { cli, directory, edit } = await startPulled(context);
    edit('second-', (document) => ({ ...document, name: 'Renamed' }));
    const roleMappings = [{ claim: 'roles', value: 'bosses', role: 'owner' }];
    edit('sso', (document) => ({
      ...document,
      policy: { ...(document['policy'] as object), requireSso: true, roleMappings },
    }));
    const exit = await cli.run('push', directory, '--yes');
    assert.equal(exit.code, 1);
    assert.match(
      exit.errorOutput,
      /\nNothing was changed:\nsso[.]json: policy\/requireSso: .*\nsso[.]json: policy\/roleMappings to the role owner: /,
    );
    assert.match((await cli.run('dashboards', 'diff', directory)).output, /Renamed/);
  });

  test('removes people last, since the token may belong to one of them', async (context) => {
    const { cli, ids, directory, edit } = await startPulled(context);
    rmSync(join(directory, readdirSync(directory).find((name) => name.startsWith('second-')) ?? ''));
    edit('members', (document) => ({
      ...document,
      members: (document['members'] as { role: string }[]).filter(({ role }) => role === 'owner'),
    }));
    const exit = await cli.run('push', directory, '--prune', '--yes');
    assert.match(exit.output, /- delete {3}dashboard[^]*- delete {3}member {10}bob[.]/);
    const { items } = await callAs(cli, `GET /api/organizations/${cli.organizationId}/members`);
    assert.ok(!items.some(({ userId }: { userId: string }) => userId === ids['bob']));
  });

  test('changes no owner, and invites only on request', async (context) => {
    const { cli, directory, edit } = await startPulled(context);
    const before = readFileSync(join(directory, 'members.json'), 'utf8');
    edit('members', (document) => ({
      ...document,
      members: (document['members'] as { role: string }[]).map((member) => ({ ...member, role: 'owner' })),
    }));
    const owner = await cli.run('members', 'push', directory, '--yes');
    assert.deepEqual(
      [owner.code, /only an owner can make or remove an owner/.test(owner.errorOutput)],
      [1, true],
    );
    writeFileSync(join(directory, 'members.json'), before);
    edit('members', (document) => ({
      ...document,
      members: [...(document['members'] as object[]), { email: 'Eve@example.com', role: 'viewer' }],
    }));
    const note = await cli.run('members', 'push', directory, '--yes');
    assert.deepEqual([note.code, note.output.startsWith('! missing')], [0, true]);
    assert.equal((await cli.run('members', 'diff', directory)).code, 3);
    assert.equal((await cli.run('members', 'push', directory, '--yes', '--invite')).code, 0);
    assert.equal((await cli.run('members', 'diff', directory)).code, 0);
  });

  test('makes nobody an admin where that needs a confirmation, and says so before it acts', async (context) => {
    const { cli, directory, edit } = await startPulled(context);
    await callAs(cli, `PUT /api/organizations/${cli.organizationId}/authentication-policy`, {
      secondFactor: 'off',
      confirmSsoChanges: true,
    });
    edit('members', (document) => ({
      ...document,
      members: [
        ...(document['members'] as { role: string }[]).map((member) =>
          member.role === 'owner' ? member : { ...member, role: 'admin' },
        ),
        { email: 'eve@example.com', role: 'admin' },
      ],
    }));
    const refused = await cli.run('members', 'push', directory, '--yes');
    assert.equal(refused.code, 1);
    const fault = /members[.]json: (\w+)[^:]*: the organization requires a confirmation of identity before/g;
    const named = (text: string) => [...text.matchAll(fault)].map(([, name]) => name);
    assert.deepEqual(named(refused.errorOutput), ['bob']);
    const inviting = await cli.run('members', 'push', directory, '--yes', '--invite');
    assert.deepEqual(named(inviting.errorOutput), ['bob', 'eve']);
  });

  test('changes descriptions of tables and settings, and overwrites nothing that others changed', async (context) => {
    const { cli, ids, directory } = await startPulled(context);
    const file = join(directory, readdirSync(directory).find((name) => name.endsWith('.models.json')) ?? '');
    const document = JSON.parse(readFileSync(file, 'utf8'));
    const [orders] = document.models;
    const write = (models: object[]) => writeFileSync(file, JSON.stringify({ ...document, models }));
    write([
      { ...orders, displayName: 'Mine' },
      { schema: 'public', name: 'items', displayName: 'Items' },
    ]);
    const path = `/api/data-sources/${ids['database']}/models`;
    const theirs = { ...orders, displayName: 'Theirs' };
    const conflict = await ask(cli, ['sources', 'push', directory], async () => {
      await callAs(cli, `PUT ${path}`, theirs, { 'if-match': '"2"' });
      return true;
    });
    assert.equal(conflict.code, 1, conflict.output);
    assert.match(
      conflict.output,
      /~ update {3}model {11}orders\n {4}Changes: displayName\n\+ create {3}model {11}items\n/,
    );
    const namesNow = async () =>
      (await callAs(cli, `GET ${path}`)).items.map(({ displayName }: { displayName: string }) => displayName);
    assert.deepEqual(await namesNow(), ['Theirs']);
    assert.equal((await ask(cli, ['sources', 'push', directory], async () => true)).code, 0);
    assert.deepEqual(await namesNow(), ['Items', 'Mine']);
    write([orders, orders]);
    const twice = await cli.run('sources', 'push', directory, '--yes');
    assert.match(twice.errorOutput, /describes orders twice/);
    // Without a file, the descriptions of a data source that has one are deleted.
    rmSync(file);
    assert.match((await cli.run('sources', 'diff', directory)).output, /2 to delete/);
    const pruned = await cli.run('sources', 'push', directory, '--prune', '--yes');
    assert.equal(pruned.code, 0, pruned.errorOutput);
    assert.deepEqual(await namesNow(), []);

    const settings = join(directory, 'organization.json');
    const organization = JSON.parse(readFileSync(settings, 'utf8'));
    writeFileSync(settings, JSON.stringify({ ...organization, currency: 'USD' }));
    const changed = await ask(cli, ['organization', 'push', directory], async () => {
      await callAs(cli, `PATCH /api/organizations/${cli.organizationId}`, { currency: 'CHF' });
      return true;
    });
    assert.match(changed.errorOutput, /^Others have changed the settings of the organization/);
    assert.equal((await cli.run('organization', 'push', directory, '--yes')).code, 0);
    assert.equal((await callAs(cli, `GET /api/organizations/${cli.organizationId}`)).currency, 'USD');
  });

  test('that fails on the way says what was done, and continues when it is repeated', async (context) => {
    const { cli, directory, edit } = await startPulled(context);
    edit('second-', (document) => ({ ...document, name: 'Renamed' }));
    const warehouse =
      readdirSync(directory).find((name) => /^warehouse-.*[.]source[.]json$/.test(name)) ?? '';
    const text = readFileSync(join(directory, warehouse), 'utf8');
    rmSync(join(directory, warehouse));
    const failed = await cli.run('push', directory, '--prune', '--yes');
    assert.equal(failed.code, 1);
    const progress = /\nDone:\n {2}update dashboard Renamed\nNot done:\n {2}delete data source Warehouse\n$/;
    assert.match(failed.errorOutput, progress);
    writeFileSync(join(directory, warehouse), text);
    const again = await cli.run('push', directory, '--prune', '--yes', '--detailed-exitcode');
    assert.deepEqual([again.code, again.output], [0, '14 unchanged\n']);
  });
});

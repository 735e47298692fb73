import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { runIn, startCliServer, temporaryFolder } from '../support/cli.ts';
import { callAs, codeSecrets, furnishCode } from '../support/cli-code.ts';
import { describeOnUsualEngine, type Engine } from '../support/server/test-server.ts';

interface DirectoryFile {
  readonly name: string;
  readonly configuration: Readonly<Record<string, unknown>>;
  readonly policy: Readonly<Record<string, unknown>>;
}

/** Starts a server with a further directory, and pulls single sign-on. */
async function startPulled(context: TestContext, engine: Engine) {
  const cli = await startCliServer(context, { engine });
  const ids = await furnishCode(cli);
  const directory = join(temporaryFolder(context), 'code');
  const pulled = await cli.run('sso', 'pull', directory);
  assert.deepEqual([pulled.code, pulled.errorOutput], [0, '']);
  const file = readdirSync(directory).find((name) => name.endsWith('.sso.json')) ?? '';
  const path = join(directory, file);
  const read = () => JSON.parse(readFileSync(path, 'utf8')) as DirectoryFile;
  const edit = (change: (document: DirectoryFile) => object) =>
    writeFileSync(path, JSON.stringify(change(read())));
  const base = `/api/sso/orgs/${cli.organizationId}/connections`;
  const one = `${base}/${ids['okta']}`;
  const environment = { ...cli.environment, ...codeSecrets };
  return {
    cli,
    ids,
    directory,
    file,
    path,
    read,
    edit,
    base,
    one,
    push: (...options: string[]) => runIn(environment, ['sso', 'push', directory, '--yes', ...options]),
    list: async () => (await callAs(cli, `GET ${base}`)).items.slice(1),
    environment,
  };
}

describeOnUsualEngine('the files of further directories', (engine) => {
  test('have every field and a reference to the secret, but no secret', async (context) => {
    const { file, read, ids, path } = await startPulled(context, engine);
    assert.match(file, /^okta-eu-[0-9a-f]{12}[.]sso[.]json$/);
    assert.deepEqual(read(), {
      format: 'atrium.sso-directory/1',
      name: '../Okta: "EU"',
      configuration: {
        provider: 'okta',
        clientId: 'okta-client',
        emailDomains: ['eu.example.com', 'example.com'],
        enabled: true,
        discoveryUrl: 'https://okta.example.com/.well-known/openid-configuration',
        clientSecret: { environment: 'ATRIUM_CODE_SECRET_SSO_OKTA_EU' },
      },
      policy: {
        defaultRole: 'editor',
        roleMappings: [{ claim: 'groups', value: 'admins', role: 'admin' }],
        revalidateMinutes: 20,
      },
    });
    assert.doesNotMatch(readFileSync(path, 'utf8'), new RegExp(`canary|${ids['okta']}`));
  });

  test('create, change and, only with --prune, delete directories', async (context) => {
    const { cli, directory, path, edit, read, one, base, push, list } = await startPulled(context, engine);
    assert.deepEqual((await cli.run('sso', 'diff', directory)).output, '4 unchanged\n');
    edit(({ policy, configuration, ...document }) => ({
      ...document,
      configuration: { ...configuration, emailDomains: ['Eu.example.com'], enabled: false },
      policy: { ...policy, defaultRole: 'viewer' },
    }));
    const different = await cli.run('sso', 'diff', directory);
    assert.equal(different.code, 3);
    assert.match(
      different.output,
      /^~ update {3}directory {7}[.][.]\/Okta: "EU"\n {4}emailDomains: .*\n {4}enabled: true → false\n~ update {3}sign-in policy {2}[.][.]\/Okta: "EU"\n {4}defaultRole: "editor" → "viewer"\n2 to update, 2 unchanged\n$/,
    );
    // The server has the secret, so that a push needs none.
    const updated = await cli.run('sso', 'push', directory, '--yes');
    assert.equal(updated.code, 0, updated.errorOutput);
    const [stored] = await list();
    assert.deepEqual(
      [stored.enabled, stored.emailDomains, stored.hasSecret],
      [false, ['eu.example.com'], true],
    );
    assert.equal((await callAs(cli, `GET ${one}/policy`)).defaultRole, 'viewer');

    await callAs(cli, `DELETE ${one}`);
    const created = await push();
    assert.match(created.output, /^\+ create {3}directory {7}[.][.]\/Okta: "EU"\n1 to create, 2 unchanged\n/);
    const [again] = await list();
    assert.deepEqual([again.name, again.hasSecret], [read().name, true]);
    assert.deepEqual(await callAs(cli, `GET ${base}/${again.id}/policy`), read().policy);
    assert.equal((await cli.run('sso', 'diff', directory)).code, 0);

    rmSync(path);
    assert.equal((await push()).code, 0);
    assert.equal((await list()).length, 1);
    const pruned = await push('--prune');
    assert.match(
      pruned.output,
      /^- delete {3}directory {7}[.][.]\/Okta: "EU"\n {4}The sessions .*get new accounts[.]\n/,
    );
    assert.deepEqual(await list(), []);
  });

  test('are pushed without losing what others changed after the plan', async (context) => {
    const { cli, directory, edit, read, path, base, one, list, environment } = await startPulled(
      context,
      engine,
    );
    const { configuration, policy, name } = read();
    const body = { ...configuration, name, clientSecret: undefined };
    const meanwhile = async (change: () => Promise<unknown>, expected: RegExp, ...options: string[]) => {
      const exit = await runIn(environment, ['sso', 'push', directory, ...options], {
        confirm: async () => {
          await change();
          return true;
        },
      });
      assert.equal(exit.code, 1, exit.output);
      assert.match(exit.errorOutput, expected);
      assert.match(exit.errorOutput, /Nothing was changed[.]\nNot done:\n/);
    };
    edit((document) => ({ ...document, configuration: { ...configuration, enabled: false } }));
    await meanwhile(
      () => callAs(cli, `PUT ${one}`, { ...body, clientId: 'theirs' }),
      /^Others have changed the directory [.][.]\/Okta: "EU" since the plan/,
    );
    assert.equal((await list())[0].clientId, 'theirs');
    await callAs(cli, `PUT ${one}`, { ...body, clientSecret: codeSecrets.ATRIUM_CODE_SECRET_SSO_OKTA_EU });
    edit((document) => ({ ...document, configuration, policy: { ...policy, defaultRole: 'viewer' } }));
    await meanwhile(
      () => callAs(cli, `PUT ${one}/policy`, { ...policy, defaultRole: 'admin' }),
      /^Others have changed the sign-in policy of [.][.]\/Okta: "EU" since the plan/,
    );
    assert.equal((await callAs(cli, `GET ${one}/policy`)).defaultRole, 'admin');
    const text = readFileSync(path, 'utf8');
    rmSync(path);
    await meanwhile(
      () => callAs(cli, `PUT ${one}`, { ...body, clientId: 'theirs' }),
      /^Others have changed the directory/,
      '--prune',
    );
    assert.equal((await list()).length, 1);
    writeFileSync(path, text);
    await callAs(cli, `DELETE ${one}`);
    await meanwhile(() => callAs(cli, `POST ${base}`, body), /^Others have changed the directory/);
    assert.equal((await list()).length, 1);
  });

  test('need the secret if the server would not have it, and never show it', async (context) => {
    const { cli, directory, file, edit, push, list } = await startPulled(context, engine);
    edit((document) => ({
      ...document,
      configuration: {
        ...document.configuration,
        discoveryUrl: 'https://other.example.com/.well-known/openid-configuration',
      },
    }));
    const missing = await cli.run('sso', 'push', directory, '--yes');
    assert.equal(
      missing.errorOutput.slice(missing.errorOutput.indexOf('Nothing')),
      `Nothing was changed:\n${file}: set the environment variable ATRIUM_CODE_SECRET_SSO_OKTA_EU to the secret\n`,
    );
    const sent = await push();
    assert.equal(sent.code, 0, sent.errorOutput);
    assert.equal((await list())[0].hasSecret, true);
    const again = await push('--secrets');
    assert.match(again.output, /The client secret is sent[.]/);
    for (const { output, errorOutput } of [missing, sent, again])
      assert.doesNotMatch(output + errorOutput, /canary/);
    edit(({ configuration: { clientSecret: _removed, ...configuration }, ...document }) => ({
      ...document,
      configuration,
    }));
    assert.match((await push()).output, /The client secret is removed[.]/);
    assert.equal((await list())[0].hasSecret, false);
  });

  test('can’t name another variable of the environment, or have a secret themselves', async (context) => {
    const { cli, directory, file, edit } = await startPulled(context, engine);
    for (const [clientSecret, fault] of [
      [{ environment: 'ATRIUM_TOKEN' }, 'configuration/clientSecret/environment must be the name of'],
      ['canary', 'configuration/clientSecret must be an object'],
    ] as const) {
      edit((document) => ({ ...document, configuration: { ...document.configuration, clientSecret } }));
      const exit = await cli.run('sso', 'push', directory, '--yes');
      assert.deepEqual(
        [exit.code, exit.errorOutput.startsWith(`${file}: ${fault}`)],
        [1, true],
        exit.errorOutput,
      );
      assert.doesNotMatch(exit.errorOutput, /canary/);
    }
  });

  test('can’t map to the role owner, or stop mapping to it, with a token', async (context) => {
    const { cli, directory, file, edit, one, push, list } = await startPulled(context, engine);
    const owners = [{ claim: 'groups', value: 'bosses', role: 'owner' }];
    const fault = `Nothing was changed:\n${file}: policy/roleMappings to the role owner: only an owner can change this`;
    const withMappings = (roleMappings: object[]) =>
      edit((document) => ({ ...document, policy: { ...document.policy, roleMappings } }));
    withMappings(owners);
    assert.ok((await push()).errorOutput.includes(fault));
    await callAs(cli, `PUT ${one}/policy`, { defaultRole: 'viewer', roleMappings: owners });
    withMappings([]);
    assert.ok((await push()).errorOutput.includes(fault));
    await callAs(cli, `DELETE ${one}`);
    withMappings(owners);
    assert.ok(
      (await cli.run('sso', 'push', directory, '--yes')).errorOutput.includes(`${file}: policy/roleM`),
    );
    assert.deepEqual(await list(), []);
  });

  test('say what to do where the organization requires a confirmation, before anything is changed', async (context) => {
    const { cli, ids, directory, edit, push, list, environment } = await startPulled(context, engine);
    assert.equal((await cli.run('pull', directory, '--yes')).code, 0);
    const second = readdirSync(directory).find((name) => name.startsWith('second-')) ?? '';
    const text = readFileSync(join(directory, second), 'utf8');
    writeFileSync(join(directory, second), text.replace('"Second"', '"Renamed"'));
    const requireConfirmation = (confirmSsoChanges: boolean) =>
      callAs(cli, `PUT /api/organizations/${cli.organizationId}/authentication-policy`, {
        secondFactor: 'off',
        confirmSsoChanges,
      });
    await requireConfirmation(true);
    assert.equal((await push()).code, 0, 'nothing differs');
    edit((document) => ({ ...document, configuration: { ...document.configuration, enabled: false } }));
    const exit = await cli.run('push', directory, '--yes');
    assert.equal(exit.code, 1);
    assert.match(
      exit.errorOutput,
      /\nNothing was changed:\nsingle sign-on: the organization requires a confirmation of identity for its changes, which a token can’t give[.] Make these changes in the browser/,
    );
    assert.equal((await list())[0].enabled, true);
    assert.equal((await callAs(cli, `GET /api/dashboards/${ids['second']}`)).name, 'Second');
    assert.equal((await cli.run('dashboards', 'push', directory, '--yes')).code, 0);

    await requireConfirmation(false);
    const meanwhile = await runIn(environment, ['sso', 'push', directory], {
      confirm: async () => {
        await requireConfirmation(true);
        return true;
      },
    });
    assert.match(meanwhile.errorOutput, /^This needs .* a token can’t give[.] Do it in the browser[.]\n/);
    assert.equal((await list())[0].enabled, true);
  });

  test('don’t exist for two directories with one name', async (context) => {
    const { cli, directory, base, read } = await startPulled(context, engine);
    await callAs(cli, `POST ${base}`, {
      ...read().configuration,
      clientSecret: undefined,
      name: read().name,
    });
    for (const words of [
      ['pull', directory],
      ['diff', directory],
    ])
      assert.match(
        (await cli.run('sso', ...words)).errorOutput,
        /^The organization has two directories with the name “[.][.]\/Okta: "EU"”[.] Rename one of them/,
      );
  });

  test('are deleted only if files manage single sign-on', async (context) => {
    const { cli, directory, path, list } = await startPulled(context, engine);
    assert.equal((await cli.run('organization', 'pull', directory)).code, 0);
    rmSync(path);
    rmSync(join(directory, 'sso.json'));
    const exit = await cli.run('diff', directory);
    assert.doesNotMatch(exit.output, /single sign-on|directory {7}/);
    assert.equal((await list()).length, 1);
  });

  test('and those of data sources never share a variable', async (context) => {
    const { cli, directory } = await startPulled(context, engine);
    for (const name of ['SSO', 'SSO Okta EU'])
      await callAs(cli, `POST /api/organizations/${cli.organizationId}/data-sources`, {
        name,
        kind: 'postgresql',
        connection: { host: 'evil', port: 1, database: 'd', user: 'u', tls: 'off', password: 'p' },
      });
    assert.equal((await cli.run('pull', directory)).code, 0);
    const variables = readdirSync(directory).flatMap((name) => {
      const found = /"environment": "ATRIUM_CODE_SECRET_(\w+)"/.exec(
        readFileSync(join(directory, name), 'utf8'),
      );
      return found?.[1] ?? [];
    });
    assert.deepEqual(variables.toSorted(), [
      'SOURCE_SSO',
      'SOURCE_SSO_OKTA_EU',
      'SSO',
      'SSO_OKTA_EU',
      'WAREHOUSE',
    ]);
  });
});

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setSsoRequirement } from '../../src/server/organizations/organizations.ts';
import { openDatabase } from '../../src/server/storage/open-database.ts';
import {
  freshPlace,
  ownerSettings,
  runCommandLine,
  send,
  signInOwner,
  startServerProcess,
  type Account,
  type Environment,
} from '../support/server/server-process.ts';
import { describeOnUsualEngine, type Engine } from '../support/server/test-server.ts';

interface Place {
  readonly environment: Environment;
  readonly owner: Account;
  run(...words: string[]): Promise<{ code: number | null; output: string; errorOutput: string }>;
}

/** Starts a server whose organization has a configuration; the commands run beside it. */
async function startPlace(context: TestContext, engine: Engine): Promise<Place> {
  const environment = { ...(await freshPlace(context, engine)), ...ownerSettings };
  const server = await startServerProcess(context, { environment });
  const owner = await signInOwner(server);
  await configure(owner, ['contoso.example', 'müller.example', 'gmail.com']);
  const run: Place['run'] = async (...words) => {
    const { code, output, errorOutput } = await runCommandLine(context, words, { environment });
    assert.doesNotMatch(errorOutput, /^ +at /m, 'a message is not a stack trace');
    return { code, output, errorOutput };
  };
  return { environment, owner, run };
}

async function configure(owner: Account, emailDomains: readonly string[]): Promise<void> {
  const { status } = await send(owner, `POST /api/sso/orgs/${owner.organizationId}/config`, {
    body: { provider: 'idp_ad', clientId: 'client', emailDomains, enabled: true },
  });
  assert.equal(status, 200);
}

async function domainsOf(owner: Account): Promise<Record<string, string>> {
  const { body } = await send(owner, `GET /api/sso/orgs/${owner.organizationId}/domains`);
  return Object.fromEntries(
    body.items.map((item: { domain: string; state: string; provenBy?: string }) => [
      item.domain,
      [item.state, item.provenBy].filter((word) => word !== undefined).join(' by '),
    ]),
  );
}

async function auditOf(owner: Account, action: string): Promise<unknown[]> {
  const path = `/api/organizations/${owner.organizationId}/audit?action=${action}`;
  const { body } = await send(owner, `GET ${path}`);
  return body.items.map(({ actorId, details }: { actorId?: string; details: unknown }) => ({
    actorId,
    details,
  }));
}

describeOnUsualEngine('domain verify', (engine) => {
  test('marks a domain as verified while the server is running', async (context) => {
    const { owner, run } = await startPlace(context, engine);
    const verify = (domain: string, organization = owner.organizationId) =>
      run('domain', 'verify', '--organization', organization, '--domain', domain);
    assert.deepEqual(await verify('Contoso.example'), {
      code: 0,
      output: 'verified: contoso.example\n',
      errorOutput: '',
    });
    assert.deepEqual(await domainsOf(owner), {
      'contoso.example': 'proven by operator',
      'xn--mller-kva.example': 'unproven',
      'gmail.com': 'unusable',
    });
    assert.equal((await verify('müller.example')).output, 'verified: xn--mller-kva.example\n');
    assert.equal((await verify('contoso.example')).code, 0, 'once more');
    assert.deepEqual(await auditOf(owner, 'sso.domain.proven'), [
      { actorId: undefined, details: { domain: 'xn--mller-kva.example', provenBy: 'operator' } },
      { actorId: undefined, details: { domain: 'contoso.example', provenBy: 'operator' } },
    ]);

    const created = await send(owner, 'POST /api/organizations', { body: { name: 'Other' } });
    const other = { ...owner, organizationId: created.body.id };
    await configure(other, ['contoso.example']);
    const failing: [Promise<{ code: number | null; output: string; errorOutput: string }>, number, RegExp][] =
      [
        [
          verify('contoso.example', other.organizationId),
          1,
          /Another organization .* has verified this domain/,
        ],
        [verify('gmail.com'), 1, /public email provider.* can’t be verified/],
        [verify('fabrikam.example'), 1, /configuration of this organization does not name this domain/],
        [verify('no domain'), 1, /configuration of this organization does not name this domain/],
        [
          verify('contoso.example', crypto.randomUUID()),
          1,
          /configuration of this organization does not name this domain/,
        ],
        [run('domain', 'verify', '--domain', 'contoso.example'), 2, /--organization is required/],
        [run('domain', 'verify', '--organization', owner.organizationId), 2, /--domain is required/],
        [run('domain', 'doubt'), 2, /Unknown command/],
      ];
    for (const [ran, code, words] of failing) {
      const { errorOutput, ...rest } = await ran;
      assert.deepEqual(rest, { code, output: '' }, errorOutput);
      assert.match(errorOutput, words);
    }
    assert.deepEqual(await domainsOf(other), { 'contoso.example': 'unproven' });
  });
});

describeOnUsualEngine('sso unlock', (engine) => {
  test('allows passwords again while the server is running', async (context) => {
    const { environment, owner, run } = await startPlace(context, engine);
    const { organizationId } = owner;
    const unlock = (id = organizationId) => run('sso', 'unlock', '--organization', id);
    assert.deepEqual(await unlock(), {
      code: 0,
      output: 'members can already sign in with a password\n',
      errorOutput: '',
    });

    await requireSso(environment, organizationId);
    const locked = await send(owner, `GET /api/organizations/${organizationId}`);
    assert.deepEqual([locked.status, locked.body.code], [403, 'sso_required']);
    assert.deepEqual(await unlock(), {
      code: 0,
      output: 'members can sign in with a password again\n',
      errorOutput: '',
    });
    const open = await send(owner, `GET /api/organizations/${organizationId}`);
    assert.equal(open.status, 200);
    const policy = await send(owner, `GET /api/sso/orgs/${organizationId}/policy`);
    assert.equal(policy.body.requireSso, false);
    assert.deepEqual(await auditOf(owner, 'sso.unlocked'), [
      { actorId: undefined, details: { before: true } },
      { actorId: undefined, details: { before: false } },
    ]);

    const unknown = await unlock(crypto.randomUUID());
    assert.deepEqual([unknown.code, unknown.output], [2, '']);
    assert.match(unknown.errorOutput, /no organization with this id/);
    const missing = await run('sso', 'unlock');
    assert.equal(missing.code, 2);
    assert.match(missing.errorOutput, /--organization is required/);
    assert.match((await run('sso', 'unlock', '--help')).output, /with a password again/);
  });
});

/** Turns the requirement on as a person who signed in through the directory would. */
async function requireSso(environment: Environment, organizationId: string): Promise<void> {
  const database = await openDatabase({
    databaseUrl: environment['DATABASE_URL'],
    dataDirectory: environment['ATRIUM_DATA_DIR'] ?? '',
  });
  await database.write((transaction) => setSsoRequirement(transaction, organizationId, true));
  await database.close();
}

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { startCliServer, temporaryFolder } from '../support/cli.ts';
import { codeSecrets, furnishCode } from '../support/cli-code.ts';

/** What a pipeline runs: from one server into files, and from the files to another server. */
const script = `
atrium() { "$NODE" "$PROGRAM" "$@"; }
one() { ATRIUM_URL=$ONE_URL ATRIUM_TOKEN=$ONE_TOKEN atrium "$@"; }
two() { ATRIUM_URL=$TWO_URL ATRIUM_TOKEN=$TWO_TOKEN atrium "$@"; }
expect() { local wanted=$1; shift; "$@"; local code=$?; if [ $code != $wanted ]; then echo "$*: exited with $code instead of $wanted" >&2; exit 1; fi; }
expect 0 one pull code
expect 0 one diff code
expect 2 two push code
expect 3 two diff code
expect 3 two push code --yes --detailed-exitcode
expect 0 two diff code
expect 0 two push code --yes --detailed-exitcode
expect 0 two pull code
git -C code diff --exit-code 2>/dev/null
sed -i 's/"name": "Second"/"name": "Renamed"/' code/second-*.json
rm code/shown-nowhere-*.report.json
expect 3 two diff code
expect 0 two push code --yes
expect 3 two diff code
expect 3 two push code --prune --yes --detailed-exitcode
expect 0 two diff code
expect 0 two push code --prune --yes --detailed-exitcode
expect 3 one diff code
`;

test('a pipeline copies an organization to a second server, changes and prunes it', async (context) => {
  const one = await startCliServer(context);
  const two = await startCliServer(context, { engine: 'PostgreSQL' });
  await furnishCode(one);
  const bob = await two.server.createPerson('Bob');
  await two.server.addMember(two.organizationId, bob, 'viewer');
  const directory = temporaryFolder(context);
  const child = spawn('bash', ['-c', script], {
    cwd: directory,
    env: {
      PATH: process.env['PATH'],
      HOME: directory,
      NODE: process.execPath,
      PROGRAM: join(import.meta.dirname, '..', '..', 'src', 'atrium.js'),
      ONE_URL: one.environment.ATRIUM_URL,
      ONE_TOKEN: one.environment.ATRIUM_TOKEN,
      TWO_URL: two.environment.ATRIUM_URL,
      TWO_TOKEN: two.environment.ATRIUM_TOKEN,
      ...codeSecrets,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errorOutput] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.once('close', resolve)),
  ]);
  assert.equal(child.exitCode, 0, output + errorOutput);
  assert.match(errorOutput, /^There is no terminal to confirm in: check with diff, then use --yes/);
  const names = readdirSync(join(directory, 'code'));
  assert.deepEqual(
    names.map((name) => name.replace(/-[0-9a-f]{12}/, '-ID')),
    [
      'members.json',
      'okta-eu-ID.sso.json',
      'orders-ID.report.json',
      'organization.json',
      'sales-eu-ID.json',
      'second-ID.json',
      'sso.json',
      'uploads-ID.source.json',
      'warehouse-ID.models.json',
      'warehouse-ID.source.json',
    ],
  );
  const written = names.map((name) => readFileSync(join(directory, 'code', name), 'utf8')).join('');
  for (const secret of [
    ...Object.values(codeSecrets),
    one.environment.ATRIUM_TOKEN,
    two.environment.ATRIUM_TOKEN,
  ])
    assert.ok(!(written + output + errorOutput).includes(secret));
  for (const name of Object.keys(codeSecrets)) assert.ok(written.includes(name), name);

  const call = async (path: string) => (await two.server.call(`GET ${path}`, { as: two.person })).body;
  const sources = await call(`/api/organizations/${two.organizationId}/data-sources`);
  assert.deepEqual(
    sources.items
      .map(({ name, connection }: never) => [name, (connection as { hasPassword?: boolean })?.hasPassword])
      .toSorted(),
    [
      ['Uploads', undefined],
      ['Warehouse', true],
    ],
  );
  const sso = await call(`/api/sso/orgs/${two.organizationId}/config`);
  assert.deepEqual([sso.clientId, sso.hasSecret, sso.emailDomains], ['client', true, ['example.com']]);
  const { items } = await call(`/api/sso/orgs/${two.organizationId}/connections`);
  const [, okta] = items;
  assert.deepEqual(
    [items.length, okta.name, okta.provider, okta.clientId, okta.enabled, okta.hasSecret, okta.emailDomains],
    [2, '../Okta: "EU"', 'okta', 'okta-client', true, true, ['eu.example.com', 'example.com']],
  );
  assert.deepEqual(await call(`/api/sso/orgs/${two.organizationId}/connections/${okta.id}/policy`), {
    defaultRole: 'editor',
    roleMappings: [{ claim: 'groups', value: 'admins', role: 'admin' }],
    revalidateMinutes: 20,
  });
  const { timeZone, locale, currency, accentColor, chartColors, name } = await call(
    `/api/organizations/${two.organizationId}`,
  );
  assert.deepEqual(
    { timeZone, locale, currency, accentColor, chartColors },
    {
      timeZone: 'Europe/Berlin',
      locale: 'de-DE',
      currency: 'EUR',
      accentColor: '#3b59b4',
      chartColors: ['#112233'],
    },
  );
  assert.ok(!written.includes(`"name": "${name}"`));
  const warehouse = sources.items.find((source: { name: string }) => source.name === 'Warehouse');
  const models = await call(`/api/data-sources/${warehouse.id}/models`);
  assert.deepEqual(
    models.items.map(({ name: table, measures }: { name: string; measures: object[] }) => [table, measures]),
    [['orders', [{ name: 'Revenue', formula: 'sum([amount])' }]]],
  );
  const members = await call(`/api/organizations/${two.organizationId}/members`);
  assert.equal(members.items.find(({ userId }: { userId: string }) => userId === bob.id).role, 'editor');
  const dashboards = await call('/api/dashboards');
  assert.deepEqual(
    new Set(dashboards.items.map(({ name }: { name: string }) => name)),
    new Set(['../../Sales: "EU"', 'Renamed']),
  );
});

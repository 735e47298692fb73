import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prepare } from '../../../src/server/storage/prepared-query.ts';
import { raw, type Bends } from '../../support/sso/hostile-provider.ts';
import { comeBack, describeTenancies, visit, type HostileWorld } from '../../support/sso/hostile-world.ts';
import { cookieOf } from '../../support/sso/responses.ts';

const tables = prepare((sql) =>
  sql
    .selectFrom('sqlite_master' as never)
    .select(['name' as never])
    .where('type' as never, '=', 'table' as never),
);

const tests = (world: HostileWorld): void => {
  test('is in no log, audit entry, status, response or row, even if the provider repeats it', async () => {
    const tenancy = await world.createTenancy();
    const { server, provider, owner, organizationId } = tenancy;
    const { trace } = provider;
    const returned: string[] = [];
    const secrets: Record<string, string>[] = [];

    const echo = (): Record<string, string> => ({ ...trace, clientSecret: provider.clientSecret });
    const echoed = () => Object.values(echo()).join(' ');
    const bends: Bends[] = [
      {},
      { claims: (honest) => ({ ...honest, nonce: 'wrong' }) },
      {
        token: () =>
          raw({
            status: 400,
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ error: provider.clientSecret, error_description: echoed() }),
          }),
      },
      {
        token: () =>
          raw({
            status: 400,
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ error: trace.code, error_description: encodeURIComponent(echoed()) }),
          }),
      },
      { token: () => raw({ status: 500, body: echoed() }) },
      {
        callback: (p) => {
          p.set('error', 'x');
          // The verifier has not been sent yet.
          p.set('error_description', Object.values({ ...echo(), codeVerifier: '' }).join(' '));
        },
      },
      { discovery: (honest) => ({ ...honest, issuer: provider.clientSecret }) },
    ];
    for (const bend of bends) {
      provider.bend(bend);
      await tenancy.save();
      const { response, callback } = await tenancy.signIn();
      secrets.push(echo());
      // The cookie is where the token belongs.
      returned.push(response.text, String(response.headers.location));
      const token = /session_token=([^;]+)/.exec(String(response.headers['set-cookie']))?.[1];
      if (token !== undefined) secrets.push({ token });
      if (callback !== undefined) returned.push((await visit(tenancy, callback)).text);
      returned.push((await tenancy.status()).text);
      const started = await server.call(`POST /api/sso/orgs/${organizationId}/config/test`, { as: owner });
      if (started.status !== 201) continue;
      const back = await provider.authorize(started.body.url);
      await visit(tenancy, `${back.pathname}${back.search}`, cookieOf(started));
      secrets.push(echo());
      returned.push(
        (
          await server.call(`GET /api/sso/orgs/${organizationId}/config/test/${started.body.id}`, {
            as: owner,
          })
        ).text,
      );
    }
    // A sign-in in progress has a row.
    await tenancy.save();
    provider.bend({});
    await comeBack(tenancy);
    secrets.push(echo());
    for (const path of ['audit', 'audit/export'])
      returned.push(
        (await server.call(`GET /api/organizations/${organizationId}/${path}`, { as: owner })).text,
      );
    returned.push((await server.call(`GET /api/sso/orgs/${organizationId}/config`, { as: owner })).text);

    const names = (await server.database.all(tables, {})) as { name: string }[];
    assert.ok(names.some(({ name }) => name === 'sso_attempts'));
    const rows = [];
    for (const { name } of names) {
      const every = prepare((sql) => sql.selectFrom(name as never).selectAll());
      rows.push(JSON.stringify(await server.database.all(every, {})));
    }
    const places = { log: server.log.join(''), responses: returned.join('\n'), database: rows.join('\n') };
    for (const [place, text] of Object.entries(places)) {
      assert.ok(text.length > 100, place);
      for (const [name, secret] of secrets.flatMap(Object.entries)) {
        if (secret === '') continue;
        assert.equal(
          text.includes(secret),
          false,
          `${name} is in the ${place}: …${text.slice(Math.max(0, text.indexOf(secret) - 200), text.indexOf(secret) + 20)}`,
        );
      }
    }
  });
};

describeTenancies('what must stay secret in a sign-in', tests, ['SQLite']);

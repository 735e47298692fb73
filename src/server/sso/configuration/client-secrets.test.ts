import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  derivedUrl,
  canary,
  least,
  allRows,
  openOffice,
} from '../../../../tests/support/sso/configuration.ts';
import { describeOnUsualEngine, startTestServer } from '../../../../tests/support/server/test-server.ts';
import { createSecretBox } from '../../base/credentials/secret-box.ts';
import { rotateClientSecrets } from './client-secrets.ts';

describeOnUsualEngine('the client secret of an SSO configuration', (engine) => {
  test('a secret is preserved if left out, replaced if given, and removed by an empty one', async (context) => {
    const { server, put, organizationId } = await openOffice(await startTestServer(context, engine));
    const stored = async () => {
      const [row] = await server.database.all(allRows, {});
      const sealed = row?.client_secret ?? undefined;
      return sealed && server.secretBox.open(organizationId, 'sso-client-secret', sealed);
    };
    const seen = [];
    for (const clientSecret of [undefined, 'one', undefined, ' two ', undefined, '', undefined, 'three']) {
      const { body } = await put({ ...least, ...(clientSecret !== undefined && { clientSecret }) });
      seen.push([clientSecret, body.hasSecret, await stored()]);
    }
    assert.deepEqual(seen, [
      [undefined, false, undefined],
      ['one', true, 'one'],
      [undefined, true, 'one'],
      [' two ', true, ' two '],
      [undefined, true, ' two '],
      ['', false, undefined],
      [undefined, false, undefined],
      ['three', true, 'three'],
    ]);
  });

  test('a secret is removed if client, tenant or URL change without a new one', async (context) => {
    const { put } = await openOffice(await startTestServer(context, engine));
    const given = 'https://idp.example/openid';
    const changes: [string, object, object, boolean][] = [
      ['domains', least, { emailDomains: ['b.example'] }, true],
      ['enabled', least, { enabled: false }, true],
      ['the derived address, spelled out', least, { discoveryUrl: derivedUrl }, true],
      ['client', least, { clientId: 'Client' }, false],
      ['tenant', { ...least, tenantId: 'one' }, { tenantId: 'two' }, false],
      ['tenant added', least, { tenantId: 'one' }, false],
      ['tenant left out', { ...least, tenantId: 'one' }, { tenantId: undefined }, false],
      [
        'tenant under a given address',
        { ...least, tenantId: 'one', discoveryUrl: given },
        { tenantId: 'two' },
        false,
      ],
      ['tenant added under a given address', { ...least, discoveryUrl: given }, { tenantId: 'one' }, false],
      [
        'empty tenant added under a given address',
        { ...least, discoveryUrl: given },
        { tenantId: '' },
        false,
      ],
      ['address', { ...least, discoveryUrl: given }, { discoveryUrl: `${given}/` }, false],
      ['address given', least, { discoveryUrl: given }, false],
      ['address left out', { ...least, discoveryUrl: given }, { discoveryUrl: undefined }, false],
    ];
    const kept = [];
    for (const [what, before, change] of changes) {
      assert.equal((await put({ ...before, clientSecret: canary })).body.hasSecret, true);
      kept.push([what, (await put({ ...before, ...change })).body.hasSecret]);
      assert.equal((await put({ ...before, ...change, clientSecret: 'new' })).body.hasSecret, true);
      assert.equal(
        (await put({ ...before, clientSecret: 'new' })).body.hasSecret,
        true,
        'moved with a new one',
      );
    }
    assert.deepEqual(
      kept,
      changes.map(([what, , , isKept]) => [what, isKept]),
    );
  });

  test('a removed secret does not return with the previous client', async (context) => {
    const { put } = await openOffice(await startTestServer(context, engine));
    await put({ ...least, clientSecret: canary });
    await put({ ...least, clientId: 'other' });
    assert.equal((await put(least)).body.hasSecret, false);
  });

  test('a secret is removed if the stored provider was different', async (context) => {
    const { server, put } = await openOffice(await startTestServer(context, engine));
    await put({ ...least, clientSecret: canary });
    await server.database.write((transaction) =>
      transaction.execute(`update sso_configurations set provider = 'idp_former'`),
    );
    assert.equal((await put(least)).body.hasSecret, false);
  });

  test('a secret is in no response, not in the log, and not in clear text in the database', async (context) => {
    const { server, ada, put, get, organizationId } = await openOffice(
      await startTestServer(context, engine),
    );
    server.expectErrors();
    const path = `/api/sso/orgs/${organizationId}/config`;
    const withCanary = { ...least, clientSecret: canary };
    const responses = [
      await put(withCanary),
      await get(),
      await put({ ...withCanary, enabled: 'true' }),
      await put({ ...withCanary, clientSecret: [canary] }),
      await put({ ...withCanary, clientSecret: `${canary}\0` }),
      await put(`{"clientSecret":"${canary}"`),
      await put(`{"clientSecret":"${canary}","clientSecret":"${canary}"}`),
      await put({ ...withCanary, [canary]: { ['__proto__x']: 1 } }),
      await server.call(`POST ${path}`, {
        as: ada,
        body: withCanary,
        headers: { 'content-type': 'text/plain' },
      }),
      await server.call(`POST ${path}`, { body: withCanary }),
      await server.call(`POST ${path}?clientSecret=${canary}`, { as: ada, body: withCanary }),
    ];
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 200, 400, 400, 400, 400, 400, 200, 415, 401, 200],
    );
    const rows = await server.database.all(allRows, {});
    assert.equal(rows.length, 1);
    assert.match(rows[0]?.client_secret ?? '', /^v1\./);
    await server.database.write((transaction) =>
      transaction.execute('alter table sso_configurations rename column client_secret to secret'),
    );
    const broken = await put(withCanary);
    assert.equal(broken.status, 500);
    const texts = [...responses, broken].map(({ text, headers }) => text + JSON.stringify(headers));
    for (const text of [...texts, ...server.log, JSON.stringify(rows)]) {
      for (const form of [
        canary,
        ...(['base64', 'base64url', 'hex'] as const).map((encoding) =>
          Buffer.from(canary).toString(encoding),
        ),
      ]) {
        assert.ok(!text.includes(form), text);
      }
    }
    assert.ok(server.log.some((line) => line.includes('A request failed')));
  });

  test('a sealed secret can be opened only for its organization', async (context) => {
    const server = await startTestServer(context, engine);
    const offices = [await openOffice(server), await openOffice(server)];
    for (const { put } of offices) await put({ ...least, clientSecret: canary });
    const rows = await server.database.all(allRows, {});
    assert.equal(rows.length, 2);
    for (const { organization_id: own, client_secret: sealed } of rows) {
      for (const { organizationId } of offices) {
        const open = () => server.secretBox.open(organizationId, 'sso-client-secret', sealed ?? '');
        if (organizationId === own) assert.equal(open(), canary);
        else assert.throws(open);
      }
    }
  });

  test('secrets under a former root key are re-encrypted once, and can be opened as before', async (context) => {
    const server = await startTestServer(context, engine);
    const office = await openOffice(server);
    const organizations = await Promise.all(
      Array.from({ length: 203 }, () => server.createOrganization(office.ada)),
    );
    await Promise.all(
      organizations.map(async (organizationId, index) => {
        const body = { ...least, ...(index >= 2 && { clientSecret: `${canary} ${organizationId}` }) };
        const response = await server.call(`POST /api/sso/orgs/${organizationId}/config`, {
          as: office.ada,
          body,
        });
        assert.equal(response.status, 200);
      }),
    );
    const newKey = 'the next root key, 32 characters or more';
    const rotating = createSecretBox([newKey, 'the root key of the tests, 32 characters or more']);
    assert.equal(await rotateClientSecrets(server.database, rotating), 201);
    assert.equal(await rotateClientSecrets(server.database, rotating), 0);
    const newBox = createSecretBox([newKey]);
    const opened = (await server.database.all(allRows, {})).flatMap(
      ({ organization_id: id, client_secret: sealed }) =>
        sealed === null ? [] : [[id, newBox.open(id, 'sso-client-secret', sealed)]],
    );
    assert.deepEqual(
      opened,
      organizations
        .slice(2)
        .toSorted()
        .map((id) => [id, `${canary} ${id}`]),
    );
  });
});

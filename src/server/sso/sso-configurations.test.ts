import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  describeOnBothEngines,
  problemOf,
  startTestServer,
  type Answer,
  type Person,
  type TestServer,
} from '../../../tests/support/test-server.ts';
import { createSecretBox } from '../base/secret-box.ts';
import { prepare } from '../storage/prepared-query.ts';
import { rotateClientSecrets } from './sso-configurations.ts';

const anId = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const at = '2026-11-21T09:00:00.000Z';
const secondsLater = '2026-11-21T09:00:05.000Z';
const derivedUrl = 'https://login.microsoftonline.com/organizations/v2.0/.well-known/openid-configuration';
const canary = 'canary-secret-7f3a';

/** The least that a body must have. */
const least = { provider: 'idp_ad', clientId: 'client', emailDomains: ['example.com'], enabled: true };

const allRows = prepare((sql) => sql.selectFrom('sso_configurations').selectAll().orderBy('organization_id'));

interface Office {
  readonly server: TestServer;
  readonly ada: Person;
  readonly organizationId: string;
  put(body: unknown, as?: Person): Promise<Answer>;
  get(as?: Person): Promise<Answer>;
  remove(as?: Person): Promise<Answer>;
}

/** A server with an organization that Ada owns, and the three operations on its configuration. */
async function openOffice(server: TestServer): Promise<Office> {
  const ada = await server.createPerson('Ada');
  const organizationId = await server.createOrganization(ada);
  const path = `/api/sso/orgs/${organizationId}/config`;
  return {
    server,
    ada,
    organizationId,
    put: (body, as = ada) => server.call(`POST ${path}`, { as, body }),
    get: (as = ada) => server.call(`GET ${path}`, { as }),
    remove: (as = ada) => server.call(`DELETE ${path}`, { as }),
  };
}

describeOnBothEngines('SSO configurations', (engine) => {
  test('the least body is created with a derived address and no secret', async (context) => {
    const { put, get, organizationId } = await openOffice(await startTestServer(context, engine));
    const { status, headers, body } = await put(least);
    assert.match(body.id, anId);
    assert.deepEqual(
      { status, type: headers['content-type'], body },
      {
        status: 200,
        type: 'application/json; charset=utf-8',
        body: {
          id: body.id,
          organizationId,
          ...least,
          discoveryUrl: derivedUrl,
          hasSecret: false,
          createdAt: at,
          updatedAt: at,
        },
      },
    );
    const read = await get();
    assert.deepEqual({ status: read.status, body: read.body }, { status: 200, body });
  });

  test('the fullest body comes back with all but its secret', async (context) => {
    const { put, get, organizationId } = await openOffice(await startTestServer(context, engine));
    const full = { ...least, tenantId: 'tenant', discoveryUrl: 'https://idp.example/openid', enabled: false };
    const { status, body } = await put({ ...full, clientSecret: canary });
    assert.deepEqual(
      { status, body },
      {
        status: 200,
        body: { id: body.id, organizationId, ...full, hasSecret: true, createdAt: at, updatedAt: at },
      },
    );
    assert.deepEqual((await get()).body, body);
  });

  test('an update answers 200, replaces the whole body, and keeps id and createdAt', async (context) => {
    const { server, put, get, organizationId } = await openOffice(await startTestServer(context, engine));
    const first = await put({ ...least, tenantId: 'tenant', discoveryUrl: 'https://idp.example/openid' });
    server.advance(5_000);
    const replacement = { ...least, clientId: 'other', emailDomains: ['b.example'], enabled: false };
    const { status, body } = await put(replacement);
    assert.deepEqual(
      { status, body },
      {
        status: 200,
        body: {
          id: first.body.id,
          organizationId,
          ...replacement,
          discoveryUrl: derivedUrl,
          hasSecret: false,
          createdAt: at,
          updatedAt: secondsLater,
        },
      },
    );
    assert.deepEqual((await get()).body, body);
    assert.equal((await server.database.all(allRows, {})).length, 1);
  });

  test('each missing, mistyped or too short field is named, and nothing is stored', async (context) => {
    const { put, get } = await openOffice(await startTestServer(context, engine));
    const without = (name: string) => ({ ...least, [name]: undefined });
    const tried: [unknown, string[]][] = [
      [without('provider'), ['/provider required']],
      [without('clientId'), ['/clientId required']],
      [without('emailDomains'), ['/emailDomains required']],
      [without('enabled'), ['/enabled required']],
      [{}, ['/clientId required', '/emailDomains required', '/enabled required', '/provider required']],
      [{ ...least, provider: 'idp_okta' }, ['/provider const']],
      [{ ...least, provider: 'IDP_AD' }, ['/provider const']],
      [{ ...least, provider: ' idp_ad' }, ['/provider const']],
      [{ ...least, provider: null }, ['/provider const', '/provider type']],
      [{ ...least, provider: ['idp_ad'] }, ['/provider const', '/provider type']],
      [{ ...least, clientId: '' }, ['/clientId minLength']],
      [{ ...least, clientId: 5 }, ['/clientId type']],
      [{ ...least, clientId: null }, ['/clientId type']],
      [{ ...least, emailDomains: [] }, ['/emailDomains minItems']],
      [{ ...least, emailDomains: 'example.com' }, ['/emailDomains type']],
      [{ ...least, emailDomains: { 0: 'example.com', length: 1 } }, ['/emailDomains type']],
      [{ ...least, emailDomains: null }, ['/emailDomains type']],
      [
        { ...least, emailDomains: ['', 'a.example', 7, null, ['b.example']] },
        ['/emailDomains/0 minLength', '/emailDomains/2 type', '/emailDomains/3 type', '/emailDomains/4 type'],
      ],
      [{ ...least, enabled: 'true' }, ['/enabled type']],
      [{ ...least, enabled: 1 }, ['/enabled type']],
      [{ ...least, enabled: null }, ['/enabled type']],
      [{ ...least, clientSecret: null }, ['/clientSecret type']],
      [{ ...least, clientSecret: 1 }, ['/clientSecret type']],
      [{ ...least, tenantId: null }, ['/tenantId type']],
      [{ ...least, tenantId: {} }, ['/tenantId type']],
      [{ ...least, discoveryUrl: null }, ['/discoveryUrl type']],
      [{ ...least, discoveryUrl: [] }, ['/discoveryUrl type']],
      [[least], [' type']],
      ['null', [' type']],
      ['"idp_ad"', [' type']],
      ['', [' type']],
    ];
    for (const [body, faults] of tried) {
      const answer = problemOf(await put(body));
      assert.deepEqual(answer, { status: 400, code: 'invalid_body', faults }, JSON.stringify(body));
    }
    assert.equal((await get()).status, 404);
  });

  test('a body that is refused leaves what is stored as it was', async (context) => {
    const { server, put, get } = await openOffice(await startTestServer(context, engine));
    const { body } = await put({ ...least, clientSecret: canary });
    server.advance(5_000);
    assert.equal((await put({ ...least, clientSecret: 'other', emailDomains: [] })).status, 400);
    assert.deepEqual((await get()).body, body);
  });

  test('strings come back to the letter, whatever they hold', async (context) => {
    const { put, get } = await openOffice(await startTestServer(context, engine));
    for (const text of [
      ' ',
      ' padded\t\n',
      'é\u0301\u{1F469}\u200D\u{1F4BB}\uFEFF\u202E',
      '\u0301',
      '\u0001\u007F\u0085\u2028\uFFFF',
      `'; drop table sso_configurations; --`,
      '<script>alert(1)</script> {{x}} ${x} %s %00 \\u0000',
      '__proto__',
      'x'.repeat(100_000),
    ]) {
      const sent = { ...least, clientId: text, tenantId: text, discoveryUrl: text };
      const { status, body } = await put({ ...sent, clientSecret: text });
      assert.equal(status, 200, JSON.stringify(text.slice(0, 60)));
      const { clientId, tenantId, discoveryUrl } = body;
      assert.deepEqual(
        { clientId, tenantId, discoveryUrl },
        { clientId: text, tenantId: text, discoveryUrl: text },
      );
      assert.deepEqual((await get()).body, body);
    }
    const { body } = await put({ ...least, tenantId: '', discoveryUrl: '' });
    assert.deepEqual([body.tenantId, body.discoveryUrl], ['', '']);
  });

  test('optional fields that are absent are left out, never null', async (context) => {
    const { put, get } = await openOffice(await startTestServer(context, engine));
    await put({ ...least, tenantId: 'tenant' });
    for (const { text, body } of [await put(least), await get()]) {
      assert.ok(!('tenantId' in body));
      assert.doesNotMatch(text, /null/);
    }
  });

  test('fields that only the server sets are ignored', async (context) => {
    const office = await openOffice(await startTestServer(context, engine));
    const { organizationId } = office;
    const eve = await openOffice(office.server);
    const forged = {
      id: 'mine',
      organizationId: eve.organizationId,
      hasSecret: true,
      createdAt: '2000-01-01T00:00:00.000Z',
      updatedAt: '2000-01-01T00:00:00.000Z',
      clientSecrets: ['x'],
      isDiscoveryUrlDerived: false,
      client_secret: 'x',
      prototype: {},
      constructor: 'x',
    };
    const expected = {
      organizationId,
      ...least,
      discoveryUrl: derivedUrl,
      hasSecret: false,
      createdAt: at,
      updatedAt: at,
    };
    const created = await office.put({ ...forged, ...least });
    assert.match(created.body.id, anId);
    assert.deepEqual(created.body, { id: created.body.id, ...expected });
    office.server.advance(5_000);
    const updated = await office.put({ ...forged, ...least });
    assert.deepEqual(updated.body, { id: created.body.id, ...expected, updatedAt: secondsLater });
    assert.deepEqual((await office.get()).body, updated.body);
    assert.equal((await eve.get()).status, 404);
  });

  test('an address left out is derived from the tenant, percent-encoded, anew at each write', async (context) => {
    const { put } = await openOffice(await startTestServer(context, engine));
    const derived: [string | undefined, string][] = [
      ['72f988bf-86f1-41af-91ab-2d7cd011db47', '72f988bf-86f1-41af-91ab-2d7cd011db47'],
      ['contoso.onmicrosoft.com', 'contoso.onmicrosoft.com'],
      [undefined, 'organizations'],
      ['a b', 'a%20b'],
      ['a/b', 'a%2Fb'],
      ['../../evil', '..%2F..%2Fevil'],
      ['..', '..'],
      ['a?b#c', 'a%3Fb%23c'],
      ['@evil.example', '%40evil.example'],
      ['%2F', '%252F'],
      ['\\', '%5C'],
      ['ü\u{1F600}', '%C3%BC%F0%9F%98%80'],
      ['\r\nX: y', '%0D%0AX%3A%20y'],
    ];
    for (const [tenantId, segment] of derived) {
      const { body } = await put({ ...least, tenantId });
      const expected = `https://login.microsoftonline.com/${segment}/v2.0/.well-known/openid-configuration`;
      assert.deepEqual([body.tenantId, body.discoveryUrl], [tenantId, expected]);
      assert.equal(new URL(body.discoveryUrl).origin, 'https://login.microsoftonline.com');
    }
  });

  test('an address that is given is stored as it is, tenant or not', async (context) => {
    const { put } = await openOffice(await startTestServer(context, engine));
    for (const discoveryUrl of [
      'https://idp.example/x',
      'HTTP://IDP.example:80/%7e',
      'not an address',
      ' ',
    ]) {
      for (const tenantId of ['tenant', undefined]) {
        const { body } = await put({ ...least, tenantId, discoveryUrl });
        assert.deepEqual([body.tenantId, body.discoveryUrl], [tenantId, discoveryUrl]);
      }
    }
    const { body } = await put({ ...least, tenantId: 'tenant' });
    assert.equal(body.discoveryUrl, derivedUrl.replace('organizations', 'tenant'));
  });

  test('the authority of the settings begins a derived address', async (context) => {
    const settings = { ATRIUM_SSO_ENTRA_AUTHORITY: 'https://login.partner.example:8443/' };
    const { put } = await openOffice(await startTestServer(context, engine, settings));
    const addresses = [(await put(least)).body, (await put({ ...least, tenantId: 'tenant' })).body];
    assert.deepEqual(
      addresses.map(({ discoveryUrl }) => discoveryUrl),
      [
        'https://login.partner.example:8443/organizations/v2.0/.well-known/openid-configuration',
        'https://login.partner.example:8443/tenant/v2.0/.well-known/openid-configuration',
      ],
    );
  });

  test('e-mail domains are trimmed, lowered, in ASCII, once each and in order', async (context) => {
    const { put, get } = await openOffice(await startTestServer(context, engine));
    const tried: [string[], string[]][] = [
      [
        ['b.example', 'a.example', 'c.example'],
        ['b.example', 'a.example', 'c.example'],
      ],
      [
        [' Example.COM\t', 'example.com', 'EXAMPLE.com ', 'a.example'],
        ['example.com', 'a.example'],
      ],
      [['bücher.example', 'BÜCHER.example', 'xn--bcher-kva.example'], ['xn--bcher-kva.example']],
      [
        ['例え.テスト', 'straße.example'],
        ['xn--r8jz45g.xn--zckzah', 'xn--strae-oqa.example'],
      ],
      [
        ['gmail.com', 'localhost'],
        ['gmail.com', 'localhost'],
      ],
      [
        [
          '*.example.com',
          'me@example.com',
          'https://x.example/y',
          'a b',
          '1.2.3.4',
          '-.example',
          ' NO_DOMAIN! ',
        ],
        [
          '*.example.com',
          'me@example.com',
          'https://x.example/y',
          'a b',
          '1.2.3.4',
          '-.example',
          'no_domain!',
        ],
      ],
      [[`${'a'.repeat(64)}.example`], [`${'a'.repeat(64)}.example`]],
    ];
    for (const [sent, stored] of tried) {
      const { body } = await put({ ...least, emailDomains: sent });
      assert.deepEqual(body.emailDomains, stored);
      assert.deepEqual((await get()).body.emailDomains, stored);
      assert.deepEqual((await put({ ...least, emailDomains: stored })).body.emailDomains, stored);
    }
    const many = Array.from({ length: 1_000 }, (_, index) => `d${index}.example`);
    assert.deepEqual((await put({ ...least, emailDomains: many })).body.emailDomains, many);
  });

  test('what is stored can be sent again, white space for a domain too', async (context) => {
    const { put, get } = await openOffice(await startTestServer(context, engine));
    assert.equal((await put({ ...least, emailDomains: [' ', 'example.com'] })).status, 200);
    const { body } = await get();
    const again = await put(body);
    assert.deepEqual({ status: again.status, body: again.body }, { status: 200, body });
  });

  test('a secret is kept when left out, replaced when given, and removed by an empty one', async (context) => {
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

  test('a secret is dropped when client, tenant or address change without a new one', async (context) => {
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

  test('a secret that was dropped does not come back with the former client', async (context) => {
    const { put } = await openOffice(await startTestServer(context, engine));
    await put({ ...least, clientSecret: canary });
    await put({ ...least, clientId: 'other' });
    assert.equal((await put(least)).body.hasSecret, false);
  });

  test('a secret is dropped when the stored provider was another', async (context) => {
    const { server, put } = await openOffice(await startTestServer(context, engine));
    await put({ ...least, clientSecret: canary });
    await server.database.write((transaction) =>
      transaction.execute(`update sso_configurations set provider = 'idp_former'`),
    );
    assert.equal((await put(least)).body.hasSecret, false);
  });

  test('a secret is in no answer, not in the log, and not in clear in the database', async (context) => {
    const { server, ada, put, get, organizationId } = await openOffice(
      await startTestServer(context, engine),
    );
    server.expectErrors();
    const path = `/api/sso/orgs/${organizationId}/config`;
    const withCanary = { ...least, clientSecret: canary };
    const answers = [
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
      answers.map(({ status }) => status),
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
    const told = [...answers, broken].map(({ text, headers }) => text + JSON.stringify(headers));
    for (const text of [...told, ...server.log, JSON.stringify(rows)]) {
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

  test('a sealed secret opens for its own organization alone', async (context) => {
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

  test('secrets under a former root key are sealed anew, once, and open as before', async (context) => {
    const server = await startTestServer(context, engine);
    const office = await openOffice(server);
    const organizations = await Promise.all(
      Array.from({ length: 203 }, () => server.createOrganization(office.ada)),
    );
    await Promise.all(
      organizations.map(async (organizationId, index) => {
        const body = { ...least, ...(index >= 2 && { clientSecret: `${canary} ${organizationId}` }) };
        const answer = await server.call(`POST /api/sso/orgs/${organizationId}/config`, {
          as: office.ada,
          body,
        });
        assert.equal(answer.status, 200);
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

  test('a configuration that was deleted is gone, and the next has a new id', async (context) => {
    const { server, put, get, remove } = await openOffice(await startTestServer(context, engine));
    const first = await put({ ...least, clientSecret: canary });
    const { status, text } = await remove();
    assert.deepEqual({ status, text }, { status: 204, text: '' });
    assert.deepEqual(problemOf(await get()), { status: 404, code: 'not_found' });
    assert.deepEqual(problemOf(await remove()), { status: 404, code: 'not_found' });
    assert.deepEqual(await server.database.all(allRows, {}), []);
    server.advance(5_000);
    const second = await put(least);
    assert.notEqual(second.body.id, first.body.id);
    assert.deepEqual(
      [second.body.createdAt, second.body.updatedAt, second.body.hasSecret],
      [secondsLater, secondsLater, false],
    );
  });

  test('no configuration, no such organization and another’s answer alike', async (context) => {
    const server = await startTestServer(context, engine);
    const [own, other] = [await openOffice(server), await openOffice(server)];
    await other.put(least);
    const answers = [await own.get(), await own.remove()];
    for (const id of [other.organizationId, crypto.randomUUID(), 'x', '%00', ' ', 'x'.repeat(400)]) {
      const path = `/api/sso/orgs/${encodeURIComponent(id)}/config`;
      answers.push(
        await server.call(`GET ${path}`, { as: own.ada }),
        await server.call(`DELETE ${path}`, { as: own.ada }),
        await server.call(`POST ${path}`, { as: own.ada, body: least }),
      );
    }
    const told = new Set(answers.map(({ text, body }) => text.replace(body.requestId, '')));
    assert.equal(told.size, 1, [...told].join('\n'));
    assert.equal(answers[0]?.status, 404);
    assert.equal((await other.get()).status, 200);
  });

  test('an owner and an admin configure it; an editor and a viewer neither write nor read', async (context) => {
    const { server, put, get, remove, organizationId } = await openOffice(
      await startTestServer(context, engine),
    );
    const statuses: Record<string, number[]> = {};
    for (const role of ['owner', 'admin', 'editor', 'viewer'] as const) {
      await put(least);
      const person = await server.createMember(organizationId, role);
      statuses[role] = [await put(least, person), await get(person), await remove(person)].map(
        ({ status }) => status,
      );
    }
    assert.deepEqual(statuses, {
      owner: [200, 200, 204],
      admin: [200, 200, 204],
      editor: [403, 403, 403],
      viewer: [403, 403, 403],
    });
  });

  test('twenty writes at once leave one configuration, of one of them, with one id', async (context) => {
    const { server, put, get, remove } = await openOffice(await startTestServer(context, engine));
    // Creations first, then updates; more than once, since connections are opened on the way of the first.
    for (const isCreation of [true, true, true, false]) {
      if (isCreation) await remove();
      const bodies = Array.from({ length: 20 }, (_, index) => ({
        ...least,
        clientId: `client ${index}`,
        tenantId: `tenant ${index}`,
        emailDomains: [`d${index}.example`],
      }));
      const answers = await Promise.all(bodies.map((body) => put(body)));
      assert.deepEqual(
        answers.map(({ status }) => status),
        bodies.map(() => 200),
      );
      assert.equal(new Set(answers.map(({ body }) => `${body.id} ${body.createdAt}`)).size, 1);
      const { body } = await get();
      const index = Number(body.clientId.split(' ')[1]);
      assert.deepEqual(body, answers[index]?.body);
      assert.equal((await server.database.all(allRows, {})).length, 1);
    }
  });

  test('writes and deletions at once leave a whole configuration or none', async (context) => {
    const { server, put, remove, get } = await openOffice(await startTestServer(context, engine));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0 ? put({ ...least, clientSecret: canary }) : remove(),
      ),
    );
    const deleted = answers.filter((_, index) => index % 2 === 1).map(({ status }) => status);
    assert.deepEqual(
      answers.filter((_, index) => index % 2 === 0).map(({ status }) => status),
      Array(10).fill(200),
    );
    assert.ok(
      deleted.every((status) => status === 204 || status === 404),
      deleted.join(),
    );
    const { status, body } = await get();
    const ids = answers.flatMap(({ body }) => (body?.hasSecret ? [body.id] : []));
    assert.ok(status === 404 || ids.includes(body.id));
    assert.ok((await server.database.all(allRows, {})).length <= 1);
  });

  test('sessions obtained through it end when it is disabled, moved or deleted, and no others', async (context) => {
    const server = await startTestServer(context, engine);
    const [own, other] = [await openOffice(server), await openOffice(server)];
    const bob = await server.createMember(own.organizationId, 'viewer');
    await server.addMember(own.organizationId, other.ada, 'viewer');
    const before = { ...least, tenantId: 'tenant', clientSecret: canary };
    await other.put(before);
    const changes: [string, () => Promise<Answer>, boolean][] = [
      ['the same again', () => own.put(before), false],
      ['domains', () => own.put({ ...before, emailDomains: ['b.example'] }), false],
      ['secret', () => own.put({ ...before, clientSecret: 'new' }), false],
      ['secret removed', () => own.put({ ...before, clientSecret: '' }), false],
      ['a bad body', () => own.put({ ...before, enabled: 'false' }), false],
      ['disabled', () => own.put({ ...before, enabled: false }), true],
      ['client', () => own.put({ ...before, clientId: 'other' }), true],
      ['tenant', () => own.put({ ...before, tenantId: 'other' }), true],
      ['tenant left out', () => own.put({ ...before, tenantId: undefined }), true],
      ['address', () => own.put({ ...before, discoveryUrl: 'https://idp.example' }), true],
      ['deleted', () => own.remove(), true],
    ];
    const ended = [];
    for (const [what, change] of changes) {
      await own.put(before);
      const through = [
        await server.createSsoSession(own.ada, own.organizationId),
        await server.createSsoSession(bob, own.organizationId),
        await server.createSsoSession(other.ada, own.organizationId),
      ];
      const others = [
        own.ada,
        bob,
        other.ada,
        await server.createSsoSession(other.ada, other.organizationId),
      ];
      await change();
      const statusOf = async (as: Person) => (await server.call('GET /api/auth/get-session', { as })).status;
      const statuses = new Set(await Promise.all(through.map(statusOf)));
      assert.deepEqual(await Promise.all(others.map(statusOf)), [200, 200, 200, 200], what);
      ended.push([what, [...statuses].join()]);
    }
    assert.deepEqual(
      ended,
      changes.map(([what, , ends]) => [what, ends ? '401' : '200']),
    );
  });

  test('a session obtained through it may manage it, and ends with what it does', async (context) => {
    const { server, ada, put, organizationId } = await openOffice(await startTestServer(context, engine));
    await put(least);
    const scoped = await server.createSsoSession(ada, organizationId);
    assert.equal((await put({ ...least, emailDomains: ['b.example'] }, scoped)).status, 200);
    assert.equal((await put({ ...least, enabled: false }, scoped)).status, 200);
    assert.deepEqual(problemOf(await put(least, scoped)), { status: 401, code: 'unauthenticated' });
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  anId,
  at,
  secondsLater,
  derivedUrl,
  canary,
  least,
  openOffice,
} from '../../../../tests/support/sso/configuration.ts';
import {
  describeOnUsualEngine,
  problemOf,
  startTestServer,
} from '../../../../tests/support/server/test-server.ts';

describeOnUsualEngine('the fields of an SSO configuration', (engine) => {
  test('every missing, mistyped or too short field is reported, and nothing is stored', async (context) => {
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
      const response = problemOf(await put(body));
      assert.deepEqual(response, { status: 400, code: 'invalid_body', faults }, JSON.stringify(body));
    }
    assert.equal((await get()).status, 404);
  });

  test('a refused body does not change the stored configuration', async (context) => {
    const { server, put, get } = await openOffice(await startTestServer(context, engine));
    const { body } = await put({ ...least, clientSecret: canary });
    server.advance(5_000);
    assert.equal((await put({ ...least, clientSecret: 'other', emailDomains: [] })).status, 400);
    assert.deepEqual((await get()).body, body);
  });

  test('strings are returned exactly, whatever they contain', async (context) => {
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

  test('absent optional fields are left out, never null', async (context) => {
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

  test('without a URL, each save derives it from the tenant, percent-encoded', async (context) => {
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

  test('a given URL is stored unchanged, with or without a tenant', async (context) => {
    const { put } = await openOffice(await startTestServer(context, engine));
    for (const discoveryUrl of ['https://idp.example/x', 'HTTP://IDP.example:80/%7e', 'not a URL', ' ']) {
      for (const tenantId of ['tenant', undefined]) {
        const { body } = await put({ ...least, tenantId, discoveryUrl });
        assert.deepEqual([body.tenantId, body.discoveryUrl], [tenantId, discoveryUrl]);
      }
    }
    const { body } = await put({ ...least, tenantId: 'tenant' });
    assert.equal(body.discoveryUrl, derivedUrl.replace('organizations', 'tenant'));
  });

  test('a derived URL starts with the authority of the settings', async (context) => {
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

  test('email domains are trimmed, in lower case, in ASCII, without duplicates and in order', async (context) => {
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

  test('a stored configuration can be saved again, even with white space as a domain', async (context) => {
    const { put, get } = await openOffice(await startTestServer(context, engine));
    assert.equal((await put({ ...least, emailDomains: [' ', 'example.com'] })).status, 200);
    const { body } = await get();
    const again = await put(body);
    assert.deepEqual({ status: again.status, body: again.body }, { status: 200, body });
  });
});

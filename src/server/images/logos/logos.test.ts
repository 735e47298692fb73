import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onePixel, pngOf } from '../../../../tests/support/image-files.ts';
import { invite, readInvitation } from '../../../../tests/support/organizations/calls.ts';
import {
  describeOnUsualEngine,
  startTestServer,
  type Person,
  type TestServer,
} from '../../../../tests/support/server/test-server.ts';

async function openOffice(server: TestServer) {
  const owner = await server.createPerson('Ada');
  const organizationId = await server.createOrganization(owner);
  const organization = `/api/organizations/${organizationId}`;
  const path = `${organization}/logo`;
  const send = (body: Buffer | string, as: Person | undefined = owner, type = 'image/png') =>
    server.call(`PUT ${path}`, { ...(as && { as }), body, headers: { 'content-type': type } });
  const logoId = async (as: Person = owner): Promise<string | undefined> =>
    (await server.call(`GET ${organization}`, { as })).body.logoId;
  return { owner, organizationId, organization, path, send, logoId };
}

describeOnUsualEngine('the logo of an organization', (engine) => {
  test('is uploaded, shown, replaced and removed', async (context) => {
    const server = await startTestServer(context, engine);
    const { owner: as, organization, path, send, logoId } = await openOffice(server);
    assert.equal('logoId' in (await server.call(`GET ${organization}`, { as })).body, false);
    const sent = await send(onePixel);
    assert.equal(sent.status, 200, sent.text);
    const first = sent.body.logoId;
    assert.match(first, /^[\w-]{43}$/);
    assert.deepEqual((await server.call('GET /api/organizations', { as })).body.items, [sent.body]);

    // Without a session, as on sign-in pages.
    const { status, headers, bytes } = await server.call(`GET /api/logos/${first}`);
    assert.equal(status, 200);
    assert.deepEqual(bytes, onePixel);
    assert.deepEqual(
      ['content-type', 'cache-control', 'etag', 'x-content-type-options', 'content-security-policy'].map(
        (name) => headers[name],
      ),
      [
        'image/png',
        'private, max-age=31536000, immutable',
        `"${first}"`,
        'nosniff',
        "default-src 'none'; frame-ancestors 'none'; sandbox",
      ],
    );
    const known = { headers: { 'if-none-match': `"${first}"` } };
    assert.equal((await server.call(`GET /api/logos/${first}`, known)).status, 304);

    const second = (await send(pngOf(1_024, 10))).body.logoId;
    assert.notEqual(second, first);
    assert.equal(await logoId(), second);
    assert.equal((await server.call(`GET /api/logos/${first}`)).status, 404, 'the replaced one is gone');
    assert.equal((await server.call(`GET /api/logos/${first}`, known)).status, 404);

    assert.equal((await server.call(`DELETE ${path}`, { as })).status, 204);
    assert.equal((await server.call(`DELETE ${path}`, { as })).status, 204);
    assert.equal(await logoId(), undefined);
    assert.equal((await server.call(`GET /api/logos/${second}`)).status, 404);
    const audit = await server.call(`GET ${organization}/audit`, { as });
    assert.deepEqual(
      audit.body.items
        .filter(({ action }: { action: string }) => action.startsWith('organization.logo'))
        .map(({ action, details }: { action: string; details: object }) => [action, details]),
      [
        ['organization.logo_removed', {}],
        ['organization.logo_changed', { type: 'image/png', sizeBytes: onePixel.length }],
        ['organization.logo_changed', { type: 'image/png', sizeBytes: onePixel.length }],
      ],
    );
  });

  test('is changed only by its admins, and nothing reveals it to others', async (context) => {
    const server = await startTestServer(context, engine);
    const { organizationId, organization, path, send, logoId } = await openOffice(server);
    const id = String((await send(onePixel)).body.logoId);
    const other = await openOffice(server);
    await other.send(pngOf(2, 2));
    const tryAll = async (as: Person | undefined) => [
      (await server.call(`GET ${organization}`, { ...(as && { as }) })).body.logoId === id,
      (
        await server.call(`PUT ${path}`, {
          ...(as && { as }),
          body: pngOf(2, 2),
          headers: { 'content-type': 'image/png' },
        })
      ).status,
      (await server.call(`DELETE ${path}`, { ...(as && { as }) })).status,
    ];
    assert.deepEqual(await tryAll(await server.createMember(organizationId, 'viewer')), [true, 403, 403]);
    assert.deepEqual(await tryAll(await server.createMember(organizationId, 'editor')), [true, 403, 403]);
    assert.deepEqual(await tryAll(other.owner), [false, 404, 404]);
    assert.deepEqual(await tryAll(undefined), [false, 401, 401]);
    assert.equal(await logoId(), id);
    assert.notEqual(await other.logoId(), id);

    // Visitors know the IDs of organizations from links to their dashboards.
    for (const guess of [organizationId, `${organizationId}/logo`, 'x', '%2e%2e', '']) {
      const answer = await server.call(`GET /api/logos/${guess}`);
      const unknown = await server.call(`GET /api/logos/${'A'.repeat(43)}`);
      assert.equal(answer.status, 404, guess);
      assert.equal(answer.body.code, unknown.body.code);
    }
    const admin = await server.createMember(organizationId, 'admin');
    assert.equal((await send(pngOf(3, 3), admin)).status, 200);
  });

  test('is refused unless it is a small picture of an allowed type', async (context) => {
    const server = await startTestServer(context, engine);
    const { send, logoId } = await openOffice(server);
    const codeOf = async (body: Buffer | string, type?: string) => {
      const response = await send(body, undefined, type);
      return `${response.status} ${response.body.code ?? response.body.role}`;
    };
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    const gif = Buffer.from('GIF89a\u0001\0\u0001\0\0\0\0,\0\0\0\0\u0001\0\u0001\0\0;', 'latin1');
    const cases: readonly (readonly [what: string, answer: Promise<string>, expected: string])[] = [
      ['SVG as PNG', codeOf(svg), '422 unreadable_image'],
      ['SVG', codeOf(svg, 'image/svg+xml'), '415 unsupported_media_type'],
      ['GIF', codeOf(gif, 'image/gif'), '415 unsupported_media_type'],
      ['GIF as PNG', codeOf(gif), '422 unreadable_image'],
      ['HTML as JPEG', codeOf('<script>alert(1)</script>', 'image/jpeg'), '422 unreadable_image'],
      ['HTML', codeOf('<script>alert(1)</script>', 'text/html'), '415 unsupported_media_type'],
      ['nothing', codeOf(''), '422 unreadable_image'],
      ['a wide picture', codeOf(pngOf(1_025, 1)), '422 unreadable_image'],
      ['a high picture', codeOf(pngOf(1, 1_025)), '422 unreadable_image'],
      ['a decompression bomb', codeOf(pngOf(65_000, 65_000)), '422 unreadable_image'],
      ['a large file', codeOf(Buffer.concat([onePixel, Buffer.alloc(256 * 1024)])), '413 body_too_large'],
    ];
    for (const [what, answer, expected] of cases) assert.equal(await answer, expected, what);
    assert.equal(await logoId(), undefined);

    // A file that is HTML, too, is only served as an image.
    const polyglot = Buffer.concat([onePixel, Buffer.from('<script>alert(1)</script>')]);
    const { body } = await send(polyglot, undefined, 'image/webp');
    const { headers } = await server.call(`GET /api/logos/${body.logoId}`);
    assert.deepEqual([headers['content-type'], headers['x-content-type-options']], ['image/png', 'nosniff']);
    assert.match(String(headers['content-security-policy']), /default-src 'none'.*sandbox/);
  });

  test('is on the page of an invitation', async (context) => {
    const server = await startTestServer(context, engine);
    const { owner, organizationId, send } = await openOffice(server);
    const { token } = await invite(server, owner, organizationId, 'bob@example.com', 'viewer');
    assert.equal('logoId' in (await readInvitation(server, token)).body, false);
    const { body } = await send(onePixel);
    assert.equal((await readInvitation(server, token)).body.logoId, body.logoId);
  });
});

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { onePixel, pngOf } from '../../../tests/support/image-files.ts';
import {
  describeOnUsualEngine,
  startTestServer,
  type Person,
  type TestServer,
} from '../../../tests/support/server/test-server.ts';

const png = { 'content-type': 'image/png' };

async function openOffice(server: TestServer) {
  const owner = await server.createPerson('Ada');
  const organizationId = await server.createOrganization(owner);
  const path = `/api/organizations/${organizationId}/images`;
  const send = (body: Buffer | string, as: Person = owner, headers = png) =>
    server.call(`POST ${path}`, { as, body, headers });
  return { owner, organizationId, path, send };
}

describeOnUsualEngine('images', (engine) => {
  test('are uploaded, listed, served and deleted', async (context) => {
    const server = await startTestServer(context, engine);
    const { owner: as, organizationId, path, send } = await openOffice(server);
    const sent = await send(onePixel);
    assert.equal(sent.status, 201, sent.text);
    const id = createHash('sha256').update(onePixel).digest('hex');
    const { createdAt, ...image } = sent.body;
    assert.deepEqual(image, {
      id,
      organizationId,
      type: 'image/png',
      width: 1,
      height: 1,
      sizeBytes: onePixel.length,
    });
    // The same file is the same image, which the person uploaded then.
    server.advance(60_000);
    assert.deepEqual((await send(onePixel)).body, { ...image, createdAt });
    assert.deepEqual((await server.call(`GET ${path}`, { as })).body.items, [{ ...image, createdAt }]);

    const viewer = await server.createMember(organizationId, 'viewer');
    const { status, headers, bytes } = await server.call(`GET ${path}/${id}`, { as: viewer });
    assert.equal(status, 200);
    assert.deepEqual(bytes, onePixel);
    assert.deepEqual(
      ['content-type', 'cache-control', 'vary', 'x-content-type-options', 'content-security-policy'].map(
        (name) => headers[name],
      ),
      [
        'image/png',
        'private, max-age=31536000, immutable',
        'cookie',
        'nosniff',
        "default-src 'none'; frame-ancestors 'none'; sandbox",
      ],
    );

    assert.equal((await server.call(`DELETE ${path}/${id}`, { as })).status, 204);
    assert.equal((await server.call(`DELETE ${path}/${id}`, { as })).status, 404);
    const audit = await server.call(`GET /api/organizations/${organizationId}/audit`, { as });
    assert.deepEqual(
      audit.body.items
        .filter(({ action }: { action: string }) => action.startsWith('image.'))
        .map(({ action, details }: { action: string; details: object }) => [action, details]),
      [
        ['image.deleted', { imageId: id }],
        ['image.uploaded', { imageId: id, type: 'image/png', sizeBytes: onePixel.length }],
      ],
    );
    assert.equal((await server.call(`GET ${path}/${id}`, { as })).status, 404);
  });

  test('are only for members, and are changed only by editors', async (context) => {
    const server = await startTestServer(context, engine);
    const { owner, organizationId, path, send } = await openOffice(server);
    const { id } = (await send(onePixel)).body;
    const viewer = await server.createMember(organizationId, 'viewer');
    const other = await openOffice(server);
    const statuses = async (as: Person | undefined) => [
      (await server.call(`GET ${path}`, { ...(as && { as }) })).status,
      (await server.call(`GET ${path}/${id}`, { ...(as && { as }) })).status,
      (await server.call(`POST ${path}`, { ...(as && { as }), body: pngOf(2, 2), headers: png })).status,
      (await server.call(`DELETE ${path}/${id}`, { ...(as && { as }) })).status,
    ];
    assert.deepEqual(await statuses(viewer), [200, 200, 403, 403]);
    assert.deepEqual(await statuses(other.owner), [404, 404, 404, 404]);
    assert.deepEqual(await statuses(undefined), [401, 401, 401, 401]);
    // The address of an image of another organization shows nothing, even if both have the hash.
    assert.equal((await server.call(`GET ${other.path}/${id}`, { as: other.owner })).status, 404);
    assert.equal((await server.call(`GET ${path}/${id}`, { as: owner })).status, 200);
  });

  test('are refused unless they are small pictures of an allowed type', async (context) => {
    const server = await startTestServer(context, engine);
    const { owner, path, send } = await openOffice(server);
    const codeOf = async (body: Buffer | string, type = 'image/png') => {
      const response = await send(body, owner, { 'content-type': type });
      return `${response.status} ${response.body.code ?? response.body.type}`;
    };
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    assert.equal(await codeOf(svg), '422 unreadable_image');
    assert.equal(await codeOf(svg, 'image/svg+xml'), '415 unsupported_media_type');
    assert.equal(await codeOf('<script>alert(1)</script>'), '422 unreadable_image');
    assert.equal(await codeOf(''), '422 unreadable_image');
    // A decompression bomb: few bytes, many pixels.
    assert.equal(await codeOf(pngOf(65_000, 65_000)), '422 unreadable_image');
    assert.equal(await codeOf(pngOf(8_000, 8_000)), '422 unreadable_image');
    assert.equal(await codeOf(pngOf(8_193, 1)), '422 unreadable_image');
    const large = Buffer.concat([onePixel, Buffer.alloc(2 * 1024 ** 2)]);
    assert.equal(await codeOf(large), '413 body_too_large');
    assert.deepEqual((await server.call(`GET ${path}`, { as: owner })).body.items, []);
    // Its content decides on the type of a file.
    assert.equal(await codeOf(onePixel, 'image/gif'), '201 image/png');
    // A file that is HTML, too, is only served as an image.
    const polyglot = Buffer.concat([onePixel, Buffer.from('<script>alert(1)</script>')]);
    const { id } = (await send(polyglot)).body;
    const { headers } = await server.call(`GET ${path}/${id}`, { as: owner });
    assert.deepEqual([headers['content-type'], headers['x-content-type-options']], ['image/png', 'nosniff']);
    assert.match(String(headers['content-security-policy']), /default-src 'none'.*sandbox/);
  });

  test('have a quota in each organization', async (context) => {
    const server = await startTestServer(context, engine);
    const { organizationId, send } = await openOffice(server);
    await server.database.write((transaction) =>
      transaction.execute(
        `insert into images (organization_id, hash, type, width, height, size_bytes, content, created_at)
         values ('${organizationId}', 'full', 'image/png', 1, 1, ${200 * 1024 ** 2 - 10}, '', '')`,
      ),
    );
    const refused = await send(onePixel);
    assert.equal(refused.status, 413, refused.text);
    assert.match(refused.body.detail, /200 MiB/);
    const other = await openOffice(server);
    assert.equal((await other.send(onePixel)).status, 201);
  });
});

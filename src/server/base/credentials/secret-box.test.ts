import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createSecretBox } from './secret-box.ts';

const oldKey = 'the old root key, 32 characters or more';
const newKey = 'the new root key, 32 characters or more';
const organizationId = '0193a1b2-0000-7000-8000-000000000001';
const purpose = 'sso-client-secret';
const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

describe('a secret box', () => {
  const box = createSecretBox([newKey, oldKey]);

  test('opens what it sealed, whatever the text is', () => {
    for (const secret of ['s', ' ', 'é\u{1F600}\u202E\n"\\', '.'.repeat(10), 'x'.repeat(100_000)]) {
      assert.equal(box.open(organizationId, purpose, box.seal(organizationId, purpose, secret)), secret);
    }
  });

  test('reveals nothing of the secret, and seals the same one differently each time', () => {
    const secret = 'canary-secret-7f3a';
    const sealed = Array.from({ length: 100 }, () => box.seal(organizationId, purpose, secret));
    assert.equal(new Set(sealed.map((text) => text.split('.')[2])).size, 100, 'a nonce was repeated');
    for (const text of sealed) {
      assert.match(text, /^v1\.[\w-]{8}\.[\w-]{16}\.[\w-]+$/);
      const bytes = Buffer.concat(text.split('.').map((part) => Buffer.from(part, 'base64url')));
      for (const shown of [text, bytes.toString('latin1')]) assert.ok(!shown.includes(secret));
      for (const form of ['base64', 'base64url', 'hex'] as const) {
        assert.ok(!text.includes(Buffer.from(secret).toString(form)));
      }
    }
  });

  test('does not open what was sealed for another organization or purpose', () => {
    const sealed = box.seal(organizationId, purpose, 'secret');
    assert.throws(() => box.open('0193a1b2-0000-7000-8000-000000000002', purpose, sealed));
    assert.throws(() => box.open('', purpose, sealed));
    assert.throws(() => box.open(organizationId, 'data-source-password', sealed));
  });

  test('does not open a text in which any character was changed', () => {
    const sealed = box.seal(organizationId, purpose, 'secret');
    for (const [index, character] of sealed.split('').entries()) {
      // Only the high bits of a part's last character count, so the highest one is changed.
      const replacement = base64url[base64url.indexOf(character) ^ 32] ?? 'A';
      const changed = `${sealed.slice(0, index)}${replacement}${sealed.slice(index + 1)}`;
      assert.throws(() => box.open(organizationId, purpose, changed), `changed at ${index}: ${changed}`);
    }
    const [version, keyId, nonce, data = ''] = sealed.split('.');
    const short = Buffer.from(data, 'base64url').subarray(0, -1).toString('base64url');
    for (const text of [
      '',
      'secret',
      `${version}.${keyId}.${nonce}.`,
      `${version}.${keyId}.${nonce}`,
      `${version}.${keyId}..${data}`,
      `${version}.${keyId}.${nonce}.${short}`,
      `${version}.${keyId}.${nonce}.${Buffer.alloc(4).toString('base64url')}`,
    ]) {
      assert.throws(() => box.open(organizationId, purpose, text), JSON.stringify(text));
    }
  });

  test('does not open a text under a key that is not in its list, and the error does not contain the text', () => {
    const sealed = createSecretBox([oldKey]).seal(organizationId, purpose, 'secret');
    assert.throws(() => createSecretBox([newKey]).open(organizationId, purpose, sealed), {
      message: 'A stored secret is encrypted with a key that is not in ATRIUM_SECRET_KEY.',
    });
  });

  test('with a list of keys seals with the first and opens with all', () => {
    const [oldBox, newBox] = [createSecretBox([oldKey]), createSecretBox([newKey])];
    const [underOld, underBoth] = [oldBox, box].map((sealer) =>
      sealer.seal(organizationId, purpose, 'secret'),
    );
    assert.ok(underOld !== undefined && underBoth !== undefined);
    assert.equal(box.open(organizationId, purpose, underOld), 'secret');
    assert.equal(newBox.open(organizationId, purpose, underBoth), 'secret');
    assert.throws(() => oldBox.open(organizationId, purpose, underBoth));
    assert.deepEqual(
      [oldBox, newBox, box].map((asked) => [asked.isCurrent(underOld), asked.isCurrent(underBoth)]),
      [
        [true, false],
        [false, true],
        [false, true],
      ],
    );
  });
});

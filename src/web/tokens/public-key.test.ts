import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { test } from 'node:test';
import { PublicKeyFault, readPublicKey } from './public-key.ts';

const pairs = {
  EC: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  OKP: generateKeyPairSync('ed25519'),
  RSA: generateKeyPairSync('rsa', { modulusLength: 2_048 }),
};
const pem = (key: KeyObject, type: 'spki' | 'pkcs8') => key.export({ format: 'pem', type });

test('a public key is read from PEM and from a JWK, with only its public members', async () => {
  for (const [kty, { publicKey }] of Object.entries(pairs)) {
    const jwk = publicKey.export({ format: 'jwk' });
    assert.deepEqual(await readPublicKey(`\n${pem(publicKey, 'spki')}`), jwk, kty);
    const more = { ...jwk, kid: 'k1', alg: 'ES256', use: 'sig', key_ops: ['verify'] };
    assert.deepEqual(await readPublicKey(JSON.stringify(more)), { ...jwk, kid: 'k1' }, kty);
  }
});

test('a private key, and text that is not a key, are refused before anything is sent', async () => {
  const { privateKey } = pairs.EC;
  const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey;
  const wrong: readonly [string, RegExp][] = [
    [pem(privateKey, 'pkcs8'), /private key/],
    [JSON.stringify(privateKey.export({ format: 'jwk' })), /private key/],
    ['{"kty":"oct","k":"AAAA"}', /private key/],
    [pem(p384, 'spki'), /P-256/],
    ['-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----', /P-256/],
    ['-----BEGIN PUBLIC KEY-----\n=A\n-----END PUBLIC KEY-----', /Paste a public key/],
    ['{', /Paste a public key/],
    ['ssh-ed25519 AAAA', /Paste a public key/],
    ['', /Paste a public key/],
  ];
  for (const [text, message] of wrong) {
    await assert.rejects(readPublicKey(text), (error) => {
      assert.ok(error instanceof PublicKeyFault);
      assert.match(error.message, message);
      return true;
    });
  }
});

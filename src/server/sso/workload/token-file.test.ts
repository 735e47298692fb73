import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { SignInRefusal } from '../protocol/sign-in-refusal.ts';
import { createTokenFile } from './token-file.ts';

const now = Date.UTC(2026, 10, 21, 9);
const directory = mkdtempSync(join(tmpdir(), 'atrium-token-file-'));
after(() => rmSync(directory, { recursive: true, force: true }));

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const claims = {
  iss: 'https://oidc.cluster.example/',
  sub: 'system:serviceaccount:default:atrium',
  aud: ['api://AzureADTokenExchange'],
  exp: now / 1_000 + 3_600,
};
const canary = Buffer.from('the signature, a canary').toString('base64url');
const tokenOf = (changes: Readonly<Record<string, unknown>> = {}) =>
  [encode({ alg: 'RS256' }), encode({ ...claims, ...changes }), canary].join('.');

let count = 0;
function fileOf(content: string): string {
  count += 1;
  const path = join(directory, `token-${count}`);
  writeFileSync(path, content);
  return path;
}

/** Returns what a refusal says about the file. */
async function faultOf(path: string): Promise<string> {
  const error: unknown = await createTokenFile(path, () => now)().then(
    () => assert.fail('the token was read'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof SignInRefusal, String(error));
  assert.equal(error.code, 'workload_token_unusable');
  // Neither the message nor the cause, which is logged, has anything of the file.
  for (let each: unknown = error; each instanceof Error; each = each.cause)
    for (const part of ['canary', canary, 'eyJ']) assert.ok(!`${each.message} ${each.stack}`.includes(part));
  return /^The token file of this server (.*)\.$/.exec(error.message)?.[1] ?? error.message;
}

describe('the token file of the host', () => {
  test('has a token for Entra, with its issuer and subject', async () => {
    const { iss: issuer, sub: subject } = claims;
    for (const text of [tokenOf(), tokenOf({ aud: 'api://AzureADTokenExchange' }), tokenOf({ nbf: 0 })])
      assert.deepEqual(await createTokenFile(fileOf(`${text}\n`), () => now)(), { text, issuer, subject });
  });

  test('is read again each time, also through the links with which Kubernetes replaces it', async () => {
    const path = join(directory, 'link');
    symlinkSync(fileOf(tokenOf({ sub: 'first' })), path);
    const read = createTokenFile(path, () => now);
    assert.equal((await read()).subject, 'first');
    rmSync(path);
    symlinkSync(fileOf(tokenOf({ sub: 'second' })), path);
    assert.equal((await read()).subject, 'second');
    assert.deepEqual(
      (await Promise.all([read(), read(), read()])).map(({ subject }) => subject),
      ['second', 'second', 'second'],
    );
  });

  const notToken = 'does not contain a JSON Web Token';
  const otherAudience = 'contains a token for another audience than api://AzureADTokenExchange';
  const nameless = 'contains a token without an issuer or a subject';
  for (const [name, content, fault] of [
    ['is empty', ' \n', 'is empty'],
    ['has something else', 'canary', notToken],
    ['has two tokens', `${tokenOf()}\n${tokenOf()}`, notToken],
    ['has an encrypted token', `${tokenOf()}.canary.canary`, notToken],
    ['has a token with an invalid payload', `eyJhbGciOiJub25lIn0.canary.${canary}`, notToken],
    ['has a token with a payload that is a list', `eyJ9.${encode(['canary'])}.${canary}`, notToken],
    ['has a header of another request', `${tokenOf()}\r\nx: canary`, notToken],
    ['has a token for Kubernetes', tokenOf({ aud: ['https://kubernetes.default.svc'] }), otherAudience],
    [
      'has a token for others as well',
      tokenOf({ aud: [...claims.aud, 'https://kubernetes.default.svc'] }),
      otherAudience,
    ],
    ['has a token for nobody', tokenOf({ aud: undefined }), otherAudience],
    ['has a token without an issuer', tokenOf({ iss: undefined }), nameless],
    ['has a token with an empty subject', tokenOf({ sub: '' }), nameless],
    ['has a token with a subject that is no text', tokenOf({ sub: ['canary'] }), nameless],
    ['has a token that never expires', tokenOf({ exp: undefined }), 'contains a token that never expires'],
    [
      'has a token that expires now',
      tokenOf({ exp: now / 1_000 }),
      'contains a token that has expired, so the host has not renewed it',
    ],
    ['is larger than 16 KiB', tokenOf({ extra: 'x'.repeat(16_384) }), 'is larger than 16 KiB'],
  ] as const)
    test(`is refused if it ${name}`, async () => {
      assert.equal(await faultOf(fileOf(content)), fault);
    });

  test('is refused if it is missing, in no directory, or a directory', async () => {
    assert.equal(await faultOf(join(directory, 'missing')), 'does not exist');
    assert.equal(await faultOf(join(fileOf(tokenOf()), 'token')), 'does not exist');
    assert.equal(await faultOf(directory), 'is not a regular file');
  });

  test('is refused if it is a named pipe or a device, without waiting for it', async () => {
    const pipe = join(directory, 'pipe');
    execFileSync('mkfifo', [pipe]);
    assert.equal(await faultOf(pipe), 'is not a regular file');
    assert.equal(await faultOf('/dev/zero'), 'is not a regular file');
  });

  test('is read once at a time, for at most two seconds', async ({ mock }) => {
    mock.timers.enable({ apis: ['setTimeout'] });
    let reads = 0;
    const read = createTokenFile(
      'hangs',
      () => now,
      () => {
        reads += 1;
        return new Promise(() => undefined);
      },
    );
    const all = Promise.allSettled([read(), read()]);
    mock.timers.tick(2_000);
    for (const result of await all) {
      assert.ok(result.status === 'rejected' && result.reason instanceof SignInRefusal);
      assert.match(result.reason.message, /can’t be read: its file system does not respond\.$/);
    }
    assert.equal(reads, 1);
  });
});

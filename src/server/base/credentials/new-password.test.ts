import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { watchThreadCpuTime } from '../../../../tests/support/cpu-time.ts';
import { findPasswordFault, hasPasswordLength } from './new-password.ts';

const email = 'ada.byronking@engines.example';

/** Passwords by the code of their fault. */
const passwords: Readonly<Record<string, readonly string[]>> = {
  length: ['', 'x'.repeat(11), 'é\u{1F600}'.repeat(5), 'x'.repeat(1_025)],
  repeated_password: [
    'passwordpassword',
    'PasswordPassword1!',
    'password password',
    'aaaaaaaaaaaa',
    'abcabcabcabc',
    'abc-abc-abc-abc',
    '000000000000',
    'x7K!pqx7K!pq',
    'a'.repeat(1_024),
    '\u{1F600}'.repeat(12),
  ],
  common_password: [
    'password1234',
    'Password2026!!',
    '2026Password',
    'P@ssw0rd2026',
    '!p.a.s.s.w.o.r.d',
    'qwerty123456',
    'atrium123456',
    'finalfantasy',
    'leavemealone',
    '1qaz2wsx3edc4rfv',
    'abcdefghijkl',
    'lkjihgfedcba',
    '123456789012',
    'qwertyuiopas',
    'master password',
    'dragonmaster',
  ],
  own_address: [
    'ada.byronking@engines.example',
    'ADA.Byronking@engines.example',
    'ada.byronking',
    'adabyronking!',
    'byronking1815',
    'byronking.password',
    'engines.example',
    'byronkingengines',
  ],
  product_name: ['Atrium!Password', 'passwordatrium', 'adminatrium1'],
};

const good = [
  'correct horse battery',
  'another horse battery',
  'the password of an account',
  'Passwörter sind doof',
  'x7K!pq9Zr$tw',
  '-_aA{}[]/^aA',
  '!#%&/()=?+-_',
  '839201746502',
  '839abc201746',
  'ada counts on engines',
  'the atrium has a fountain',
  'пароль и ещё один',
  '日本語の長いパスワードです',
  '  leading spaces',
  `${'x'.repeat(11)}y`,
  'Passwordpassword horse',
];

describe('a new password', () => {
  for (const [code, refused] of Object.entries(passwords)) {
    test(`is refused: ${code}`, async () => {
      const codes = await Promise.all(
        refused.map(async (text) => (await findPasswordFault(text, email))?.code),
      );
      assert.deepEqual(
        codes.map((found, index) => [refused[index], found]),
        refused.map((text) => [text, code]),
      );
    });
  }

  test('is accepted otherwise', async () => {
    for (const text of good) assert.equal(await findPasswordFault(text, email), undefined, text);
    assert.ok(good.every(hasPasswordLength));
    assert.equal(await findPasswordFault('byronking1815', 'bob@example.com'), undefined);
  });

  test('is checked in linear time', async () => {
    await findPasswordFault('correct horse battery', email);
    const hostile = [
      `${'a'.repeat(1_023)}b`,
      `${'ab'.repeat(511)}c`,
      `${'1'.repeat(1_023)}x`,
      '\u0301'.repeat(1_024),
    ];
    for (const text of hostile) {
      const cpuTimeMs = watchThreadCpuTime();
      for (let round = 0; round < 20; round += 1) await findPasswordFault(text, `${text}@example.com`);
      assert.ok(cpuTimeMs() < 1_000, `${text.slice(0, 10)}: ${cpuTimeMs()} ms`);
    }
  });
});

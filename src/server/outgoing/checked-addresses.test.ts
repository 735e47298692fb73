import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isIP } from 'node:net';
import { createAddressCheck, type FindAddresses } from './checked-addresses.ts';

function open(answers: readonly (readonly string[])[], privateHosts: { host: string; port: number }[] = []) {
  const asked: string[] = [];
  let time = 0;
  const resolverOf = (kind: string) => async (host: string) => {
    const addresses = answers[asked.push(`${kind} ${host}`) - 1] ?? [];
    return addresses.map((address) => ({ address, family: isIP(address) }));
  };
  const find = createAddressCheck(privateHosts, {
    resolvePublic: resolverOf('public'),
    lookupPrivate: resolverOf('private'),
    now: () => time,
  });
  return { find, asked, pass: (ms: number) => void (time += ms) };
}

const codeOf = (find: FindAddresses, host: string, port = 5432) =>
  find(host, port, 'own').catch((error: { code: string }) => error.code);

describe('the addresses of a host that a user entered', () => {
  test('are all addresses of its name, sorted, and looked up again after half a minute', async () => {
    const { find, asked, pass } = open([['8.8.8.8', '1.1.1.1'], ['9.9.9.9']]);
    assert.deepEqual(await find('db.example', 5432, 'own'), ['1.1.1.1', '8.8.8.8']);
    pass(29_999);
    assert.deepEqual(await find('db.example', 5432, 'own'), ['1.1.1.1', '8.8.8.8']);
    pass(1);
    assert.deepEqual(await find('db.example', 5432, 'own'), ['9.9.9.9']);
    assert.deepEqual(asked, ['public db.example', 'public db.example']);
    assert.deepEqual(await find('1.1.1.1', 5432, 'own'), ['1.1.1.1']);
    assert.equal(asked.length, 2);
  });

  test('are refused if one of them is private, which is not cached', async () => {
    const { find } = open([['1.1.1.1', '10.0.0.1'], [], ['169.254.169.254'], ['1.1.1.1']]);
    for (const what of ['one of two', 'none', 'a metadata address'])
      assert.equal(await codeOf(find, 'rebinding.example'), 'address_refused', what);
    assert.deepEqual(await find('rebinding.example', 5432, 'own'), ['1.1.1.1']);
    for (const host of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.1', 'fd00::1', '0.0.0.0'])
      assert.equal(await codeOf(find, host), 'address_refused', host);
  });

  test('may be private for a host and port that the operator allows, looked up by the system', async () => {
    const { find, asked } = open(
      [['10.0.0.1'], ['10.0.0.1']],
      [
        { host: 'db.corp', port: 5432 },
        { host: '10.0.0.2', port: 5432 },
      ],
    );
    assert.deepEqual(await find('db.corp', 5432, 'own'), ['10.0.0.1']);
    assert.equal(await codeOf(find, 'db.corp', 22), 'address_refused');
    assert.deepEqual(asked, ['private db.corp', 'public db.corp']);
    assert.deepEqual(await find('10.0.0.2', 5432, 'own'), ['10.0.0.2']);
    assert.equal(await codeOf(find, '10.0.0.2', 22), 'address_refused');
  });
});

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { startFaultProxy } from './fault-proxy.ts';
import { createPostgresDatabase } from '../storage/postgres.ts';

test('a fault proxy commits and loses the response, and holds what is partitioned until it heals', async () => {
  const database = await createPostgresDatabase();
  after(() => database.drop());
  const address = new URL(database.url);
  const proxy = await startFaultProxy({ host: address.hostname, port: Number(address.port) });
  after(() => proxy.close());
  address.port = String(proxy.port);
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: address.href });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };

  const first = await connect();
  await first.query('create table things (id int)');
  await first.query('begin');
  await first.query('insert into things values (1)');
  const lost = proxy.loseResponseTo('commit');
  await assert.rejects(first.query('commit'));
  await lost;

  const second = await connect();
  assert.deepEqual((await second.query('select id from things')).rows, [{ id: 1 }]);
  proxy.partition();
  let isAnswered = false;
  const held = second.query('select 2 as n').then((result) => {
    isAnswered = true;
    return result.rows;
  });
  const third = await connect();
  assert.deepEqual((await third.query('select 3 as n')).rows, [{ n: 3 }]);
  assert.equal(isAnswered, false);
  proxy.heal();
  assert.deepEqual(await held, [{ n: 2 }]);
  await Promise.all([second.end(), third.end()]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createConnection } from './connection.ts';

function start() {
  const pauses: number[] = [];
  let next = () => {};
  const state = { responds: false };
  const connection = createConnection(
    async () => state.responds,
    (callback, milliseconds) => {
      pauses.push(milliseconds);
      next = callback;
    },
  );
  const changes: boolean[] = [];
  connection.subscribe(() => changes.push(connection.isLost()));
  const attempt = async () => {
    next();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { connection, state, pauses, changes, attempt };
}

test('a lost connection is tried again with longer and longer pauses until the server responds', async () => {
  const { connection, state, pauses, changes, attempt } = start();
  await connection.whenBack();
  connection.reportLost();
  connection.reportLost();
  const back = connection.whenBack();
  for (let n = 0; n < 6; n += 1) await attempt();
  state.responds = true;
  await attempt();
  await back;
  assert.deepEqual(pauses, [1_000, 2_000, 3_000, 4_000, 5_000, 5_000, 5_000]);
  assert.deepEqual(changes, [true, false]);
});

test('a response or a check in between ends the waiting', async () => {
  const { connection, state, pauses, changes, attempt } = start();
  await connection.check();
  connection.reportBack();
  await attempt();
  assert.deepEqual(pauses, [1_000]);
  await connection.check();
  state.responds = true;
  await connection.check();
  assert.deepEqual(changes, [true, false, true, false]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DisplayedDashboard } from '#contract/dashboards/display.ts';
import { ApiProblem, Unreachable } from '../../app/api.ts';
import { checkEveryMs, followDisplay, refusedWaitMs } from './follower.ts';

// Only its identity counts here.
const board = { id: 'a', name: 'Board', version: 1 } as DisplayedDashboard;
const refusal = new ApiProblem({
  type: 'about:blank',
  title: '',
  status: 404,
  detail: '',
  code: 'link_not_valid',
  requestId: '',
});

/** Starts a follower whose next responses are given one after the other. */
function start() {
  const waits: number[] = [];
  let now = 0;
  let next = () => {};
  let outcome: DisplayedDashboard | Error = board;
  const follower = followDisplay({
    read: async () => {
      if (outcome instanceof Error) throw outcome;
      return structuredClone(outcome);
    },
    wait: (callback, milliseconds) => {
      waits.push(milliseconds);
      next = callback;
      return () => {
        next = () => {};
      };
    },
    now: () => now,
    random: () => 0.5,
  });
  const respond = async (at: number, response: typeof outcome) => {
    now = at;
    outcome = response;
    if (at === 0) follower.check();
    else next();
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
    return follower.state();
  };
  return { follower, waits, respond };
}

test('a display keeps its dashboard while the server is away, and asks it less and less often', async () => {
  const { waits, respond } = start();
  const first = await respond(0, board);
  assert.deepEqual(first, { displayed: board, isRefused: false, awaySince: undefined, returns: 0 });
  for (let n = 1; n <= 8; n += 1) {
    const away = await respond(n * 30_000, new Unreachable());
    assert.deepEqual(away, { displayed: board, isRefused: false, awaySince: 0, returns: 0 });
  }
  const back = await respond(300_000, board);
  assert.deepEqual(back, { ...first, returns: 1 });
  assert.equal(back.displayed, first.displayed, 'the same one, so that nothing is rendered again');
  assert.deepEqual(waits, [
    checkEveryMs,
    1_000,
    2_000,
    4_000,
    8_000,
    16_000,
    32_000,
    60_000,
    60_000,
    checkEveryMs,
  ]);
});

test('a display that never reached the server says since when it has tried', async () => {
  const { respond } = start();
  assert.equal((await respond(0, new Unreachable())).awaySince, 0);
  assert.equal((await respond(5_000, new Unreachable())).awaySince, 0);
});

test('a display forgets its dashboard when its link is refused, and asks rarely whether it works again', async () => {
  const { waits, respond } = start();
  await respond(0, board);
  const refused = await respond(30_000, refusal);
  assert.deepEqual(refused, { displayed: undefined, isRefused: true, awaySince: undefined, returns: 0 });
  const away = await respond(60_000, new Unreachable());
  assert.deepEqual([away.isRefused, away.displayed], [true, undefined]);
  assert.deepEqual(await respond(90_000, board), {
    displayed: board,
    isRefused: false,
    awaySince: undefined,
    returns: 1,
  });
  assert.deepEqual(waits, [checkEveryMs, refusedWaitMs, 1_000, checkEveryMs]);
});

test('a display that stops ignores what arrives, and starts again', async () => {
  const { follower, respond } = start();
  follower.check();
  follower.stop();
  await Promise.resolve();
  await Promise.resolve();
  assert.equal(follower.state().displayed, undefined);
  assert.deepEqual((await respond(0, board)).displayed, board);
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { keyOfPerson } from './tenant.ts';
import { createTurns } from './turns.ts';

const [ada, bob, cyd] = [keyOfPerson('ada'), keyOfPerson('bob'), keyOfPerson('cyd')];

/** Turns that begin when the test says so. `work` takes some time of the current turn, once it may begin. */
function startTurns() {
  const started: string[] = [];
  const next: (() => void)[] = [];
  let now = 1_000;
  const turns = createTurns(
    () => now,
    (run) => void next.push(run),
  );
  async function work(name: string, key = ada, takesMs = 10): Promise<void> {
    await turns.enter(key);
    started.push(name);
    now += takesMs;
  }
  return {
    turns,
    work: (...args: Parameters<typeof work>) => void work(...args),
    /** Returns what started since the last call, and begins the next turn. */
    async endTurn(): Promise<string[]> {
      await Promise.resolve();
      await Promise.resolve();
      for (const run of next.splice(0)) run();
      const found = started.splice(0);
      return found;
    },
    pass: (ms: number) => void (now += ms),
    isIdle: () => next.length === 0,
  };
}

/** Begins work in the current turn, one after the other, as requests that arrive together do. */
async function arrive({ work }: ReturnType<typeof startTurns>, names: string, key = ada): Promise<void> {
  for (const name of names) {
    work(name, key);
    await Promise.resolve();
  }
}

describe('turns of the event loop', () => {
  test('are not waited for by work that fits into one', async () => {
    const turns = startTurns();
    await arrive(turns, 'abc');
    assert.deepEqual(await turns.endTurn(), ['a', 'b', 'c']);
    assert.ok(turns.isIdle());
    turns.pass(60_000);
    await arrive(turns, 'd');
    assert.deepEqual(await turns.endTurn(), ['d']);
  });

  test('have one piece each of the work that would make one too long, of each person in rotation', async () => {
    const turns = startTurns();
    await arrive(turns, 'abcdef');
    await arrive(turns, 'xy', bob);
    await arrive(turns, 'z', cyd);
    const found: string[][] = [];
    while (!turns.isIdle()) found.push(await turns.endTurn());
    found.push(await turns.endTurn());
    assert.deepEqual(found, [['a', 'b', 'c'], ['d'], ['x'], ['z'], ['e'], ['y'], ['f']]);
    assert.ok(turns.isIdle());
  });

  test('that are short leave room for a person who has nothing waiting', async () => {
    const turns = startTurns();
    await arrive(turns, 'abcdef');
    await turns.endTurn();
    await arrive(turns, 'x', bob);
    await arrive(turns, 'g');
    assert.deepEqual(await turns.endTurn(), ['d', 'x']);
    assert.deepEqual(await turns.endTurn(), ['e']);
  });

  test('are shared by streams, which go on in a later one each time', async () => {
    const { turns, endTurn } = startTurns();
    const read: string[] = [];
    async function stream(name: string, key = ada): Promise<void> {
      for (let page = 1; page <= 2; page += 1) {
        await turns.next(key);
        read.push(`${name}${page}`);
      }
    }
    void stream('a');
    void stream('b');
    void stream('x', bob);
    for (let turn = 0; turn < 7; turn += 1) await endTurn();
    assert.deepEqual(read, ['a1', 'x1', 'b1', 'x2', 'a2', 'b2']);
  });
});

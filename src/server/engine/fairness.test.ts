import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeFilesSource } from '../../../tests/support/data-sources/files-source.ts';
import { codesOf, endless, openEngine, textOf } from '../../../tests/support/data-sources/test-engine.ts';

describe('queries of uploaded tables', () => {
  it('run one after the other if there are cores for only one', async (context) => {
    const engine = openEngine(context, { maxQuickWorkersPerFilesSource: 1, slowAfterMs: 60_000 });
    const source = await makeFilesSource(context, {});
    await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        engine.run({ organizationId: 'one', source, sql: `SELECT ${index}` }),
      ),
    );
    assert.equal(engine.workers().length, 1);
  });

  it('do not wait for a slow one', async (context) => {
    const engine = openEngine(context, { maxQuickWorkersPerFilesSource: 1, slowAfterMs: 20 });
    const source = await makeFilesSource(context, {});
    const leaving = new AbortController();
    const slow = engine.run({ organizationId: 'one', source, sql: endless }, { signal: leaving.signal });
    const settled = Promise.allSettled([slow]);
    assert.equal(textOf(await engine.run({ organizationId: 'one', source, sql: 'SELECT 1' })), '[[1]]');
    leaving.abort();
    assert.deepEqual(codesOf(await settled), ['cancelled']);
  });
});

describe('a hundred slow queries of one organization', () => {
  it('let those of another go first', async (context) => {
    const engine = openEngine(context);
    const source = await makeFilesSource(context, {});
    let finishedCount = 0;
    const leaving = new AbortController();
    const slow = 'SELECT count(*) FROM range(60000000) WHERE hash(range) % 7 = 1';
    const greedy = Array.from({ length: 100 }, async () => {
      await engine.run({ organizationId: 'greedy', source, sql: slow }, { signal: leaving.signal });
      finishedCount += 1;
    });
    const settled = Promise.allSettled(greedy);
    for (let count = 0; count < 10; count += 1) {
      await engine.run({ organizationId: 'other', source, sql: 'SELECT sum(range) FROM range(100000)' });
    }
    const finishedBefore = finishedCount;
    leaving.abort();
    await settled;
    assert.ok(finishedBefore < 30, `${finishedBefore} of the slow queries finished first`);
  });
});

describe('one person with twelve organizations and 52 slow queries', () => {
  it('does not delay a short query of another organization', async (context) => {
    const engine = openEngine(context);
    const source = await makeFilesSource(context, {});
    const leaving = new AbortController();
    const greedy = Array.from({ length: 52 }, (_, index) =>
      engine.run(
        { organizationId: `own ${index % 12}`, source, requesterIds: ['greedy'], sql: endless },
        { signal: leaving.signal },
      ),
    );
    const settled = Promise.allSettled(greedy);
    const countBusy = () => engine.workers().filter(({ isBusy }) => isBusy).length;
    assert.deepEqual([countBusy(), engine.waiting()], [4, 48]);
    const short = engine.run({ organizationId: 'other', source, requesterIds: ['other'], sql: 'SELECT 1' });
    assert.ok(
      engine.workers().some(({ organizationId, isBusy }) => isBusy && organizationId === 'other'),
      'the short query has started',
    );
    assert.equal(textOf(await short), '[[1]]');
    leaving.abort();
    await settled;
  });

  it('can have only a limited number of queries wait', async (context) => {
    const engine = openEngine(context, { maxWaitingPerPerson: 3 });
    const source = await makeFilesSource(context, {});
    const leaving = new AbortController();
    const greedy = Array.from({ length: 8 }, (_, index) =>
      engine.run(
        { organizationId: `own ${index}`, source, requesterIds: ['greedy'], sql: endless },
        { signal: leaving.signal },
      ),
    );
    await assert.rejects(greedy.at(-1) ?? assert.fail(), {
      code: 'busy',
      message: 'Too many of your queries are already waiting. Try again in a moment.',
    });
    leaving.abort();
    await Promise.allSettled(greedy);
  });
});

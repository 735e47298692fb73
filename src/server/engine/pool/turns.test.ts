import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defaultLimits, type QueryLimits } from '../limits.ts';
import { createTurns, type RunningQuery } from './turns.ts';

/** A query, written as `person organization source`; the person `-` means a job of the server. */
type QueryText = `${string} ${string} ${string}`;

function read(text: QueryText) {
  const [person = '', organizationId = '', sourceKey = ''] = text.split(' ');
  const source = { engine: undefined, file: '', tempDirectory: '' };
  const workerKey = { organizationId, sourceKey, source };
  return { text, workerKey, requesterIds: person === '-' ? [] : person.split('+') };
}

/** Workers that run queries until the test ends them. */
function createWorkers(changes: Partial<QueryLimits> = {}) {
  let now = 0;
  const turns = createTurns({ ...defaultLimits, ...changes }, () => now);
  const running: (RunningQuery & { readonly text: QueryText })[] = [];
  const queue: ReturnType<typeof read>[] = [];
  function serve(): QueryText[] {
    const started: QueryText[] = [];
    for (let turn = turns.next(queue, running); turn !== undefined; turn = turns.next(queue, running)) {
      const { text, workerKey } = turn.waiting;
      queue.splice(queue.indexOf(turn.waiting), 1);
      running.push({ text, workerKey, person: turn.person, isSlow: false });
      started.push(text);
    }
    return started;
  }
  return {
    /** Adds queries, and returns those that start. */
    add(...all: QueryText[]): QueryText[] {
      queue.push(...all.map(read));
      return serve();
    },
    /** Ends running queries, and returns those that start in their place. */
    end(...all: QueryText[]): QueryText[] {
      for (const text of all) {
        const index = running.findIndex((query) => query.text === text);
        assert.notEqual(index, -1, `${text} does not run`);
        running.splice(index, 1);
      }
      return serve();
    },
    becomeSlow: () => running.forEach(turns.noteSlow),
    advance: (milliseconds: number) => {
      now += milliseconds;
    },
    join(text: QueryText, person: string): QueryText[] {
      queue.find((each) => each.text === text)?.requesterIds.push(person);
      return serve();
    },
  };
}

const times = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index));

describe('the turns of queries', () => {
  test('give one person at most half of the workers, however many organizations they have', () => {
    const workers = createWorkers();
    const greedy = times(52, (index): QueryText => `greedy own${index % 12} source`);
    assert.equal(workers.add(...greedy).length, 4);
    workers.becomeSlow();
    assert.deepEqual(workers.add('other other source'), ['other other source']);
  });

  test('leave some workers of an organization and of a source to its other members', () => {
    const workers = createWorkers();
    const ofSource = times(9, (): QueryText => 'greedy shared a');
    assert.equal(workers.add(...ofSource).length, 2);
    assert.deepEqual(workers.add('other shared a'), ['other shared a']);
    const elsewhere = createWorkers();
    assert.equal(elsewhere.add(...times(9, (index): QueryText => `greedy shared ${index}`)).length, 3);
    assert.deepEqual(elsewhere.add('other shared 10'), ['other shared 10']);
  });

  test('reserve workers for people who had no slow query recently', () => {
    const workers = createWorkers();
    const heavy = times(3, (index) =>
      times(4, (source): QueryText => `heavy${index} own${index} ${source}`),
    ).flat();
    const started = workers.add(...heavy);
    assert.equal(started.length, 6);
    workers.becomeSlow();
    const third: QueryText = 'heavy0 third source';
    assert.deepEqual(workers.add(third, 'light light source'), ['light light source']);
    assert.deepEqual(workers.end('light light source'), []);
    // The person and the organization have no running query, and had no slow one for a minute.
    workers.advance(60_001);
    assert.deepEqual(
      workers.end(...started.filter((text) => text.startsWith('heavy0'))).includes(third),
      true,
    );
  });

  test('go to people with the fewest running queries, then to those whose last turn was the longest ago', () => {
    const workers = createWorkers({ maxWorkers: 1, maxWorkersPerOrganization: 4 });
    assert.deepEqual(
      workers.add('greedy one source', 'greedy one source', 'greedy two source', 'greedy two source'),
      ['greedy one source'],
    );
    assert.deepEqual(workers.add('other three source', '- four source'), []);
    const order = ['other three source', '- four source', 'greedy two source', 'greedy one source'] as const;
    let running: QueryText = 'greedy one source';
    for (const next of order) {
      assert.deepEqual(workers.end(running), [next]);
      running = next;
    }
  });

  test('of a query that several people wait for come when the first of them has one', () => {
    const workers = createWorkers();
    workers.add(...times(4, (index): QueryText => `greedy own${index} source`));
    assert.deepEqual(workers.add('greedy shared source'), []);
    assert.deepEqual(workers.join('greedy shared source', 'other'), ['greedy shared source']);
  });

  test('of jobs of the server are limited only by organization', () => {
    const workers = createWorkers();
    assert.equal(workers.add(...times(9, (index): QueryText => `- one ${index}`)).length, 4);
  });

  test('are shared even if there is only one worker', () => {
    const workers = createWorkers({ maxWorkers: 1 });
    workers.add('one one source');
    workers.becomeSlow();
    assert.deepEqual(workers.add('one one source'), []);
    assert.deepEqual(workers.end('one one source'), ['one one source']);
  });
});

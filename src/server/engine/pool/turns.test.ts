import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defaultLimits, type QueryLimits } from '../limits.ts';
import { createTurns, type RunningQuery } from './turns.ts';

/** A query, written as `person organization source`; `-` is a job of the server. */
type Words = `${string} ${string} ${string}`;

function read(words: Words) {
  const [person = '', organizationId = '', sourceKey = ''] = words.split(' ');
  const source = { engine: undefined, file: '', tempDirectory: '' };
  const seat = { organizationId, sourceKey, source };
  return { words, seat, askers: person === '-' ? [] : person.split('+') };
}

/** Workers that run queries until the test ends them. */
function createWorkers(changes: Partial<QueryLimits> = {}) {
  let now = 0;
  const turns = createTurns({ ...defaultLimits, ...changes }, () => now);
  const running: (RunningQuery & { readonly words: Words })[] = [];
  const queue: ReturnType<typeof read>[] = [];
  function serve(): Words[] {
    const begun: Words[] = [];
    for (let turn = turns.next(queue, running); turn !== undefined; turn = turns.next(queue, running)) {
      const { words, seat } = turn.waiting;
      queue.splice(queue.indexOf(turn.waiting), 1);
      running.push({ words, seat, person: turn.person, isSlow: false });
      begun.push(words);
    }
    return begun;
  }
  return {
    /** Returns the queries that begin. */
    ask(...all: Words[]): Words[] {
      queue.push(...all.map(read));
      return serve();
    },
    /** Ends queries that run, and returns those that begin in their place. */
    end(...all: Words[]): Words[] {
      for (const words of all) {
        const index = running.findIndex((query) => query.words === words);
        assert.notEqual(index, -1, `${words} does not run`);
        running.splice(index, 1);
      }
      return serve();
    },
    becomeSlow: () => running.forEach(turns.noteSlow),
    advance: (milliseconds: number) => {
      now += milliseconds;
    },
    join(words: Words, person: string): Words[] {
      queue.find((each) => each.words === words)?.askers.push(person);
      return serve();
    },
  };
}

const times = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index));

describe('the turns of queries', () => {
  test('leave half of the workers to other people, however many organizations one person has', () => {
    const workers = createWorkers();
    const greedy = times(52, (index): Words => `greedy own${index % 12} source`);
    assert.equal(workers.ask(...greedy).length, 4);
    workers.becomeSlow();
    assert.deepEqual(workers.ask('other other source'), ['other other source']);
  });

  test('leave some workers of an organization and of a source to its other members', () => {
    const workers = createWorkers();
    const ofSource = times(9, (): Words => 'greedy shared a');
    assert.equal(workers.ask(...ofSource).length, 2);
    assert.deepEqual(workers.ask('other shared a'), ['other shared a']);
    const elsewhere = createWorkers();
    assert.equal(elsewhere.ask(...times(9, (index): Words => `greedy shared ${index}`)).length, 3);
    assert.deepEqual(elsewhere.ask('other shared 10'), ['other shared 10']);
  });

  test('reserve workers for people who had no slow query recently', () => {
    const workers = createWorkers();
    const heavy = times(3, (index) =>
      times(4, (source): Words => `heavy${index} own${index} ${source}`),
    ).flat();
    const begun = workers.ask(...heavy);
    assert.equal(begun.length, 6);
    workers.becomeSlow();
    const third: Words = 'heavy0 third source';
    assert.deepEqual(workers.ask(third, 'light light source'), ['light light source']);
    assert.deepEqual(workers.end('light light source'), []);
    // Its person and its organization have nothing at work any more, and no slow query for a minute.
    workers.advance(60_001);
    assert.deepEqual(
      workers.end(...begun.filter((words) => words.startsWith('heavy0'))).includes(third),
      true,
    );
  });

  test('go to people with the fewest running queries, then to those whose last turn was the longest ago', () => {
    const workers = createWorkers({ maxWorkers: 1, maxWorkersOfOrganization: 4 });
    assert.deepEqual(
      workers.ask('greedy one source', 'greedy one source', 'greedy two source', 'greedy two source'),
      ['greedy one source'],
    );
    assert.deepEqual(workers.ask('other three source', '- four source'), []);
    const order = ['other three source', '- four source', 'greedy two source', 'greedy one source'] as const;
    let running: Words = 'greedy one source';
    for (const next of order) {
      assert.deepEqual(workers.end(running), [next]);
      running = next;
    }
  });

  test('of a query that several people wait for are those of the person who is first', () => {
    const workers = createWorkers();
    workers.ask(...times(4, (index): Words => `greedy own${index} source`));
    assert.deepEqual(workers.ask('greedy shared source'), []);
    assert.deepEqual(workers.join('greedy shared source', 'other'), ['greedy shared source']);
  });

  test('of jobs of the server are limited only by organization', () => {
    const workers = createWorkers();
    assert.equal(workers.ask(...times(9, (index): Words => `- one ${index}`)).length, 4);
  });

  test('let a single worker serve everybody', () => {
    const workers = createWorkers({ maxWorkers: 1 });
    workers.ask('one one source');
    workers.becomeSlow();
    assert.deepEqual(workers.ask('one one source'), []);
    assert.deepEqual(workers.end('one one source'), ['one one source']);
  });
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bearer, createToken } from '../../../../tests/support/credentials/tokens.ts';
import { startTestServer, type TestResponse } from '../../../../tests/support/server/test-server.ts';
import type { Actor, Scope } from '../../base/actor.ts';
import { AtriumError } from '../../base/errors.ts';
import { createWorkLimits } from './work-limits.ts';

/** A byte that was sent costs 10 ns, so this costs at least a second, whatever the speed of the machine. */
const secondsOfBytes = (seconds: number): number => seconds * 100_000_000;

function startLimits(sessionRequestsPerMinute = 60) {
  const time = { now: 1_000_000 };
  const limit = createWorkLimits({
    clock: () => time.now,
    sessionRequestsPerMinute,
    processorMsPerMinute: 6_000,
  });
  /** Returns what the response to a request is that costs this many seconds: "ok", or which limit it exceeds, and how long to wait. */
  const request = (actor: Actor, seconds = 0): string => {
    try {
      const work = limit(actor);
      work.begin();
      work.end(secondsOfBytes(seconds));
      return 'ok';
    } catch (error) {
      assert.ok(error instanceof AtriumError && error.code === 'too_many_attempts');
      const { ratelimit = '', 'retry-after': seconds } = error.headers;
      return `${ratelimit.split(';')[0]} ${seconds}`;
    }
  };
  return { time, limit, request };
}

const session = (userId: string, scope: Scope = 'all', id = userId): Actor => ({
  userId,
  credential: { kind: 'session', id, method: 'operator', confirmedAt: undefined },
  scope,
  satisfiesSso: false,
});
const token = (userId: string, organizationId = 'o'): Actor => ({
  ...session(userId, { organizationId }),
  credential: { kind: 'token', id: userId, scopes: ['read'] },
});
const display = (userId: string, id: string): Actor => ({
  ...session(userId, { organizationId: 'o' }),
  credential: { kind: 'display', id },
});

describe('the limits of work', () => {
  test('count the requests of a person’s sessions together, and refill all the time', () => {
    const { time, request } = startLimits(2);
    for (const id of ['phone', 'desktop', 'phone', 'tv'])
      assert.equal(request(session('ada', 'all', id)), 'ok');
    assert.equal(request(session('ada')), '"session" 30');
    assert.equal(request(session('ada', { organizationId: 'o' })), '"session" 30');
    assert.equal(request(session('bob')), 'ok');
    assert.equal(request(token('ada')), 'ok', 'tokens have a limit of their own');
    time.now += 29_999;
    assert.equal(request(session('ada')), '"session" 1');
    time.now += 1;
    assert.equal(request(session('ada')), 'ok');
    assert.equal(request(session('ada')), '"session" 30');
    time.now += 3_600_000;
    for (let index = 0; index < 4; index += 1) assert.equal(request(session('ada')), 'ok');
    assert.equal(request(session('ada')), '"session" 30', 'no more than a full bucket');
  });

  test('count the requests of a wall display by its link, not for its creator', () => {
    const { request } = startLimits(1);
    for (let index = 0; index < 2; index += 1) assert.equal(request(display('ada', 'lobby')), 'ok');
    assert.equal(request(display('ada', 'lobby')), '"session" 60');
    assert.equal(request(display('ada', 'kitchen')), 'ok');
    assert.equal(request(session('ada')), 'ok');
  });

  test('count the processor time of a person by sessions and tokens together', () => {
    const { time, request } = startLimits();
    assert.equal(request(session('ada'), 3), 'ok');
    assert.equal(request(token('ada'), 3.5), 'ok');
    for (const actor of [session('ada', 'all', 'another'), token('ada'), token('ada', 'other')])
      assert.match(request(actor), /^"processor" [56]$/);
    assert.equal(request(session('bob'), 1), 'ok');
    assert.equal(request(token('carla', 'other'), 1), 'ok');
    time.now += 7_000;
    assert.equal(request(session('ada')), 'ok');
  });

  test('count the processor time of an organization, and refuse nobody of another', () => {
    const { request } = startLimits();
    for (const userId of ['a', 'b', 'c', 'd']) request(token(userId), 5);
    assert.match(request(token('e')), /^"organization-processor" \d+$/);
    assert.match(request(session('f', { organizationId: 'o' })), /^"organization-processor" \d+$/);
    assert.equal(request(token('g', 'other')), 'ok');
    assert.equal(request(session('g')), 'ok');
  });

  test('refuse a request whose body arrives after the time was used up', () => {
    const { limit, request } = startLimits();
    const early = limit(session('ada'));
    early.requireLeft();
    request(session('ada'), 7);
    assert.throws(() => early.requireLeft(), { code: 'too_many_attempts' });
  });

  test('never make anyone wait longer than a minute, even if the clock is set back', () => {
    const { time, request } = startLimits();
    request(session('ada'), 3_600);
    assert.equal(request(session('ada')), '"processor" 61');
    time.now -= 86_400_000;
    assert.equal(request(session('ada')), '"processor" 61');
    time.now += 61_000;
    assert.equal(request(session('ada')), 'ok');
  });

  test('forget the first of more than 10,000 people, so that their memory is bounded', () => {
    const { request } = startLimits(1);
    for (let index = 0; index <= 10_001; index += 1)
      for (let each = 0; each < 2; each += 1) request(session(`${index}`));
    assert.equal(request(session('0')), 'ok', 'forgotten');
    assert.equal(request(session('10001')), '"session" 60', 'not forgotten');
  });
});

test('a session with costly requests is refused, and another organization’s is not', async (context) => {
  const server = await startTestServer(context, 'SQLite', { ATRIUM_PROCESSOR_MS_PER_MINUTE: '100' });
  const as = await server.createPerson('Ada');
  const other = await server.createPerson('Bob');
  const organizationId = await server.createOrganization(as);
  await server.createOrganization(other);
  const program = bearer(await createToken(server, as, { organizationId }));
  /** Is parsed, and refused: more than 5 ms, with 1,000,000 bytes. */
  const body = `{"organizationId":"${organizationId}","name":"D","spec":[${'[],'.repeat(330_000)}[]]}`;
  const statuses: number[] = [];
  let last: TestResponse;
  do {
    last = await server.call('POST /api/reports', { as, body });
    statuses.push(last.status);
  } while (last.status !== 429 && statuses.length < 30);
  assert.deepEqual(
    [last.status, last.body.code, new Set(statuses.slice(0, -1))],
    [429, 'too_many_attempts', new Set([400])],
  );
  const seconds = Number(last.headers['retry-after']);
  assert.ok(seconds >= 1 && seconds <= 61, `${seconds} s`);
  assert.deepEqual(
    [last.headers['ratelimit'], last.headers['ratelimit-policy']],
    [`"processor";r=0;t=${seconds}`, '"processor";q=100;w=60'],
  );
  assert.equal((await server.call('GET /api/dashboards', program)).status, 429, 'tokens share the time');
  assert.equal((await server.call('GET /api/dashboards', { as: other })).status, 200);
  server.advance(61_000);
  assert.equal((await server.call('GET /api/dashboards', { as })).status, 200);
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bearer, createServiceAccount, createToken } from '../../../../tests/support/credentials/tokens.ts';
import { describeOnUsualEngine, startTestServer } from '../../../../tests/support/server/test-server.ts';
import type { Actor } from '../../base/actor.ts';
import { AtriumError } from '../../base/errors.ts';
import { createRequestLimits } from './request-limits.ts';

const actorOf = (userId: string, organizationId = 'o', tokenId = userId): Actor => ({
  userId,
  credential: { kind: 'token', id: tokenId, scopes: ['read'] },
  scope: { organizationId },
  satisfiesSso: false,
});

function startLimits(perMinute: number) {
  const time = { now: 1_000_000 };
  const limit = createRequestLimits({ clock: () => time.now, perMinute });
  /** Returns the header `RateLimit`, with `Retry-After` if the request is refused. */
  const request = (actor: Actor): string | undefined => {
    try {
      return limit(actor)['ratelimit'];
    } catch (error) {
      assert.ok(error instanceof AtriumError && error.code === 'too_many_attempts');
      return `${error.headers['ratelimit']} after ${error.headers['retry-after']}`;
    }
  };
  return { time, request };
}

describe('the limit of requests', () => {
  test('counts an account’s tokens together, for a minute from the first request', () => {
    const { time, request } = startLimits(2);
    assert.equal(request(actorOf('ada', 'o', 'first')), '"default";r=1;t=60');
    time.now += 29_500;
    assert.equal(request(actorOf('ada', 'o', 'second')), '"default";r=0;t=31');
    assert.equal(request(actorOf('ada', 'o', 'third')), '"default";r=0;t=31 after 31');
    assert.equal(request(actorOf('bob')), '"default";r=1;t=60');
    assert.equal(request(actorOf('ada', 'other')), '"default";r=1;t=60');
    time.now += 30_499;
    assert.equal(request(actorOf('ada')), '"default";r=0;t=1 after 1');
    time.now += 1;
    assert.equal(request(actorOf('ada')), '"default";r=1;t=60');
  });

  test('limits an organization’s accounts together, and no other organization', () => {
    const { request } = startLimits(2);
    for (let index = 0; index < 10; index += 1) request(actorOf(`${index % 9}`));
    assert.equal(request(actorOf('9')), '"organization";r=0;t=60 after 60');
    assert.equal(request(actorOf('9', 'other')), '"default";r=1;t=60');
  });

  test('never makes anyone wait longer than a minute, even if the clock is set back or forward', () => {
    for (const jumpMs of [-86_400_000, -1, 86_400_000]) {
      const { time, request } = startLimits(1);
      request(actorOf('ada'));
      assert.equal(request(actorOf('ada')), '"default";r=0;t=60 after 60');
      time.now += jumpMs;
      assert.equal(request(actorOf('ada')), '"default";r=0;t=60');
    }
  });

  test('forgets the first of more than 10,000 accounts, so that its memory is bounded', () => {
    const { request } = startLimits(1);
    for (let index = 0; index < 10_001; index += 1) request(actorOf(`user-${index}`, `org-${index}`));
    assert.equal(request(actorOf('user-0', 'org-0')), '"default";r=0;t=60', 'forgotten');
    assert.equal(request(actorOf('user-10000', 'org-10000')), '"default";r=0;t=60 after 60', 'not forgotten');
  });
});

describeOnUsualEngine('a program that sends many requests', (engine) => {
  test('gets the limit with each response, and a 429', async (context) => {
    const server = await startTestServer(context, engine, { ATRIUM_API_REQUESTS_PER_MINUTE: '3' });
    const as = await server.createPerson('Ada');
    const organizationId = await server.createOrganization(as);
    const token = bearer(await createToken(server, as, { organizationId }));
    const again = bearer(await createToken(server, as, { organizationId }));
    const account = bearer(await createServiceAccount(server, as, { organizationId }));
    const policy = '"default";q=3;w=60, "organization";q=15;w=60';
    const invalid = `${token.headers.authorization.slice(0, -1)}!`;
    for (let index = 0; index < 5; index += 1) {
      const { status, headers } = await server.call('GET /api/dashboards', {
        headers: { authorization: invalid },
      });
      assert.deepEqual([status, headers['ratelimit']], [401, undefined]);
    }
    const responses = [
      await server.call('GET /api/dashboards', token),
      await server.call(`GET /api/dashboards/${organizationId}`, again),
      await server.call('POST /api/dashboards', { ...token, body: { name: 'D', organizationId } }),
      await server.call('GET /api/dashboards', again),
      await server.call('GET /api/dashboards', account),
      await server.call('GET /api/dashboards', { as }),
    ];
    assert.deepEqual(
      responses.map(({ status, headers }) => [
        status,
        headers['ratelimit'],
        headers['ratelimit-policy'],
        headers['retry-after'],
      ]),
      [
        [200, '"default";r=2;t=60', policy, undefined],
        [404, '"default";r=1;t=60', policy, undefined],
        [403, '"default";r=0;t=60', policy, undefined],
        [429, '"default";r=0;t=60', policy, '60'],
        [200, '"default";r=2;t=60', policy, undefined],
        [200, undefined, undefined, undefined],
      ],
    );
    assert.deepEqual([responses[3]!.body.code, responses[3]!.body.status], ['too_many_attempts', 429]);
    assert.match(responses[3]!.headers['content-type'] as string, /^application\/problem\+json/);
    server.advance(60_000);
    assert.equal((await server.call('GET /api/dashboards', token)).status, 200);
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiProblem, Unreachable } from '../../app/api.ts';
import { retryDelay, shouldRetry } from './query-client.ts';

const problem = (code: ApiProblem['problem']['code'], retryAfterSeconds?: number): ApiProblem =>
  new ApiProblem(
    { type: 'about:blank', title: '', status: 0, detail: '', code, requestId: '' },
    retryAfterSeconds,
  );

test('waits as long as the server says after too many requests, unless that is long', () => {
  const triesOf = (error: Error) => [0, 1, 2, 3, 4, 5, 6].filter((count) => shouldRetry(count, error)).length;
  assert.equal(triesOf(problem('too_many_attempts', 3)), 5);
  assert.equal(triesOf(problem('too_many_attempts', 11)), 0);
  assert.equal(triesOf(problem('too_many_attempts')), 0);
  assert.equal(triesOf(problem('forbidden', 3)), 0);
  assert.equal(triesOf(problem('unavailable')), 2);
  assert.equal(triesOf(new Unreachable('')), 2);
  const delayMs = retryDelay(4, problem('too_many_attempts', 3));
  assert.ok(delayMs >= 3_000 && delayMs < 4_000, `${delayMs} ms`);
  assert.equal(retryDelay(1, new Unreachable('')), 2_000);
});

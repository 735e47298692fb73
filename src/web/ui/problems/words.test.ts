import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Problem } from '#contract/problem.ts';
import { ApiProblem, Unreachable } from '../../app/api.ts';
import { faultAt, isToldByFields } from './field-faults.ts';
import { sentenceOf, wordsOf } from './words.ts';

const problem = (more: Partial<Problem>): ApiProblem =>
  new ApiProblem({
    type: 'about:blank',
    status: 422,
    code: 'invalid_body',
    title: 'The body is not valid',
    detail: 'See the faults.',
    requestId: 'a-request',
    ...more,
  });

const faulty = problem({
  errors: [
    { pointer: '/name', code: 'too_short', message: 'must not be empty' },
    { pointer: '', code: 'too_many', message: 'has too many members' },
  ],
});

test('an error is told with each of its faults', () => {
  assert.deepEqual(wordsOf(faulty), {
    title: 'The body is not valid',
    detail: 'See the faults.',
    faults: ['name must not be empty', 'has too many members'],
  });
  assert.equal(sentenceOf(faulty), 'See the faults. name must not be empty has too many members');
});

test('what the server calls a request is told of its own faults alone', () => {
  assert.equal(wordsOf(problem({ code: 'internal', status: 500 })).requestId, 'a-request');
  assert.equal(wordsOf(problem({ code: 'not_found', status: 404 })).requestId, undefined);
  assert.equal(wordsOf(new Unreachable()).title, 'The server can’t be reached');
  assert.deepEqual(wordsOf(new TypeError('x is not a function')), {
    title: 'Something went wrong',
    detail: 'Reload the page.',
    faults: [],
  });
});

test('a field shows its fault, and the rest is told when fields do not show all', () => {
  assert.equal(faultAt(faulty, '/name'), 'Must not be empty');
  assert.equal(faultAt(faulty, '/email'), undefined);
  assert.equal(faultAt(new Unreachable(), '/name'), undefined);
  assert.equal(isToldByFields(faulty, ['/name']), false);
  assert.equal(isToldByFields(faulty, ['/name', '']), true);
  assert.equal(isToldByFields(problem({}), ['/name']), false);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Problem } from '#contract/problem.ts';
import { ApiProblem, Unreachable } from '../../app/api.ts';
import { faultAt, isShownByFields } from './field-faults.ts';
import { errorSentence, errorMessage } from './message.ts';

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

test('an error is shown with each of its faults', () => {
  assert.deepEqual(errorMessage(faulty), {
    title: 'The body is not valid',
    detail: 'See the faults.',
    faults: ['name must not be empty', 'has too many members'],
  });
  assert.equal(errorSentence(faulty), 'See the faults. name must not be empty has too many members');
});

test('the request ID is shown only for internal errors', () => {
  assert.equal(errorMessage(problem({ code: 'internal', status: 500 })).requestId, 'a-request');
  assert.equal(errorMessage(problem({ code: 'not_found', status: 404 })).requestId, undefined);
  assert.equal(errorMessage(new Unreachable()).title, 'The server can’t be reached');
  assert.deepEqual(errorMessage(new TypeError('x is not a function')), {
    title: 'Something went wrong',
    detail: 'Reload the page.',
    faults: [],
  });
});

test('a field shows its fault, and the form shows the error unless fields show all faults', () => {
  assert.equal(faultAt(faulty, '/name'), 'Must not be empty');
  assert.equal(faultAt(faulty, '/email'), undefined);
  assert.equal(faultAt(new Unreachable(), '/name'), undefined);
  assert.equal(isShownByFields(faulty, ['/name']), false);
  assert.equal(isShownByFields(faulty, ['/name', '']), true);
  assert.equal(isShownByFields(problem({}), ['/name']), false);
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fileErrors } from '../../base/file-errors.ts';
import { toAtriumError } from './problem.ts';

const errorOf = (code: string, syscall: string) =>
  Object.assign(new Error(`${code}: …, ${syscall} '/data/sources/secret'`), { code, syscall });

describe('an error of the file system', () => {
  for (const [code, detail] of Object.entries(fileErrors)) {
    test(`${code} is a 503 in words, with its cause for the log`, () => {
      for (const syscall of ['open', 'mkdir', 'mkdtemp', 'rename']) {
        const cause = errorOf(code, syscall);
        const problem = toAtriumError(cause);
        assert.deepEqual([problem.code, problem.message, problem.cause], ['unavailable', detail, cause]);
      }
    });
  }

  test('is not mistaken for one of the network, or for a bug', () => {
    for (const error of [errorOf('ETIMEDOUT', 'connect'), errorOf('EINVAL', 'open'), new Error('ENOENT')])
      assert.equal(toAtriumError(error).code, 'internal');
  });
});

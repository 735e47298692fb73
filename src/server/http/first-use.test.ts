import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type, type TSchema } from 'typebox';
import { onFirstUse } from './first-use.ts';

test('a schema is compiled when it is first used, once for all servers', () => {
  const compiled: TSchema[] = [];
  const compile = onFirstUse((schema) => {
    compiled.push(schema);
    return (value: number) => value + compiled.length;
  });
  const [one, other] = [Type.Object({}), Type.Object({})];
  const [first, second] = [compile(one), compile(one)];
  assert.deepEqual(compiled, []);
  assert.deepEqual([first(10), first(20), second(30)], [11, 21, 31]);
  assert.deepEqual(compiled, [one]);
  assert.equal(compile(other)(40), 42);
});

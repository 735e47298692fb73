import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchCpuTime } from '../../../tests/support/cpu-time.ts';
import { readCookie } from './session-cookie.ts';

test('the value of a cookie excludes the spaces and tabs around it', () => {
  assert.equal(readCookie('a=1; \t name \t=\t value of it \t; b=2', 'name'), 'value of it');
  assert.equal(readCookie('a=1; name= \t ', 'name'), '');
  assert.equal(readCookie('a=1;\u00a0name=2', 'name'), undefined);
  assert.equal(readCookie('name=1; name=2', 'name'), undefined);
});

test('a header full of spaces is read quickly', () => {
  const cpuMs = watchCpuTime();
  for (let time = 0; time < 20; time += 1) {
    assert.equal(readCookie(`x${' '.repeat(15_000)}y=1; name=2`, 'name'), '2');
  }
  assert.ok(cpuMs() < 500, `${cpuMs()} ms`);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findPlaceholders, findUndeclared } from './placeholders.ts';

test('parameters are found in the code alone', () => {
  const query = `select '{{a}}', "{{b}}", $x$ {{c}} $x$ -- {{d}}
    /* {{e}} */ from t where x = {{ region }} and y > {{since}} or x = {{region}} and '' = 'it''s {{f}}'`;
  assert.deepEqual(
    findPlaceholders(query).map(({ name, from, to }) => [name, query.slice(from, to)]),
    [
      ['region', '{{ region }}'],
      ['since', '{{since}}'],
      ['region', '{{region}}'],
    ],
  );
});

test('what is not closed reaches to the end', () => {
  for (const text of ["'{{a}}", '"{{a}}', '/* {{a}}', '$$ {{a}}', '{{a', '{{1a}}', '{{ }}']) {
    assert.deepEqual(findPlaceholders(text), [], text);
  }
});

test('names that nobody has declared are told once', () => {
  assert.deepEqual(findUndeclared('{{a}} {{b}} {{b}} {{c}}', [{ name: 'a' }]), ['b', 'c']);
});

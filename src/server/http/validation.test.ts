import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { routes } from '#contract/routes.ts';
import { faultFinder } from './validation.ts';

test('says in words what a text must be that does not match its pattern', () => {
  const findFaults = faultFinder(
    Type.Object({
      rows: Type.Array(Type.Object({ 'a/b': Type.String({ pattern: '^[0-9]$', 'x-words': 'a digit' }) })),
      plain: Type.Optional(Type.String({ pattern: '^x$' })),
    }),
  );
  assert.deepEqual(findFaults({ rows: [{ 'a/b': '1' }, { 'a/b': 'no' }], plain: 'y' }), [
    { pointer: '/rows/1/a~1b', code: 'pattern', message: 'must be a digit' },
    { pointer: '/plain', code: 'pattern', message: 'must match pattern "^x$"' },
  ]);
});

test('every pattern of the contract has its words', () => {
  const patterns = routes.flatMap(({ params, query, headers, body }) =>
    patternsIn({ params, query, headers, body }),
  );
  assert.ok(patterns.length > 10, `${patterns.length} patterns`);
  assert.deepEqual(
    patterns.filter((schema) => typeof schema['x-words'] !== 'string'),
    [],
  );
});

function patternsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  const schema = value as Record<string, unknown>;
  return [
    ...(typeof schema['pattern'] === 'string' ? [schema] : []),
    ...Object.values(schema).flatMap(patternsIn),
  ];
}

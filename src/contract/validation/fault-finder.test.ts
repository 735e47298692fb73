import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { routes } from '#contract/routes.ts';
import { faultFinder } from './fault-finder.ts';

test('explains what a text must be if it does not match its pattern', () => {
  const findFaults = faultFinder(
    Type.Object({
      rows: Type.Array(Type.Object({ 'a/b': Type.String({ pattern: '^[0-9]$', 'x-expected': 'a digit' }) })),
      plain: Type.Optional(Type.String({ pattern: '^x$' })),
    }),
  );
  assert.deepEqual(findFaults({ rows: [{ 'a/b': '1' }, { 'a/b': 'no' }], plain: 'y' }), [
    { pointer: '/rows/1/a~1b', code: 'pattern', message: 'must be a digit' },
    { pointer: '/plain', code: 'pattern', message: 'must match pattern "^x$"' },
  ]);
});

test('does not check values that are too long any further', () => {
  const exponential = Type.String({ pattern: '^(a|aa)+$', 'x-expected': 'some letters', maxLength: 60 });
  const findFaults = faultFinder(
    Type.Object({
      name: Type.Optional(exponential),
      names: Type.Optional(Type.Array(exponential, { maxItems: 2 })),
      chart: Type.Optional(
        Type.Union([
          Type.Object({ kind: Type.Literal('few'), names: Type.Array(exponential, { maxItems: 1 }) }),
          Type.Object({ kind: Type.Literal('many'), names: Type.Array(exponential, { maxItems: 3 }) }),
        ]),
      ),
    }),
  );
  const tooLong = `${'a'.repeat(100)}!`;
  const maxLength = { code: 'maxLength', message: 'must have at most 60 characters' };
  assert.deepEqual(findFaults({ name: tooLong }), [{ pointer: '/name', ...maxLength }]);
  // One code point of two characters counts once.
  assert.deepEqual(findFaults({ name: '😀'.repeat(60) }), [
    { pointer: '/name', code: 'pattern', message: 'must be some letters' },
  ]);
  const maxItems = (limit: number) => ({
    code: 'maxItems',
    message: `must have at most ${limit} elements`,
  });
  assert.deepEqual(findFaults({ names: ['!', '!', '!', '!', '!'] }), [
    { pointer: '/names', ...maxItems(2) },
    ...[0, 1].map((index) => ({
      pointer: `/names/${index}`,
      code: 'pattern',
      message: 'must be some letters',
    })),
  ]);
  assert.deepEqual(findFaults({ chart: { kind: 'many', names: ['a', 'a', 'a', 'a', '!'] } }), [
    { pointer: '/chart/names', ...maxItems(3) },
  ]);
});

test('finds a fault in the last of many elements of an array without a limit', () => {
  const findFaults = faultFinder(Type.Object({ names: Type.Array(Type.String({ maxLength: 1 })) }));
  assert.deepEqual(findFaults({ names: [...Array.from({ length: 5_000 }, () => 'a'), 'aa'] }), [
    { pointer: '/names/5000', code: 'maxLength', message: 'must have at most 1 character' },
  ]);
});

test('reads nothing more once there are 100 faults, or a list is too long', () => {
  const unread = (length: number, from: number) => {
    const widgets: object[] = Array.from({ length }, () => ({}));
    Object.defineProperty(widgets, from, {
      get: () => {
        throw new Error('must not be read');
      },
    });
    return { widgets };
  };
  const widget = Type.Object({ reportId: Type.String() });
  const findFaults = faultFinder(Type.Object({ widgets: Type.Array(widget) }));
  assert.equal(findFaults(unread(1_000, 100)).length, 100);
  const findLimited = faultFinder(Type.Object({ widgets: Type.Array(widget, { maxItems: 2 }) }));
  assert.equal(findLimited(unread(1_000, 2)).length, 3);
});

test('every pattern of the contract has a message', () => {
  const patterns = routes.flatMap(({ params, query, headers, body }) =>
    patternsIn({ params, query, headers, body }),
  );
  assert.ok(patterns.length > 10, `${patterns.length} patterns`);
  assert.deepEqual(
    patterns.filter((schema) => typeof schema['x-expected'] !== 'string'),
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

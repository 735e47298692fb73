import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSync } from 'recheck';
import { growthOf, maxGrowth } from './growth.ts';
import { hostileInputs } from './hostile-input.ts';
import { findPatterns, patternsInSource, type Pattern } from './patterns.ts';

const patterns = await findPatterns();

test('finds the patterns of the contract, the server and the browser', () => {
  for (const start of ['contract, ', 'src/server/', 'src/web/']) {
    const found = patterns.filter(({ place }) => place.startsWith(start));
    assert.ok(found.length > 20, `${found.length} of ${start}`);
  }
});

test('rejects a computed regular expression', async () => {
  await assert.rejects(patternsInSource('new RegExp(`a${b}`)', 'some.ts'), /computes/);
  await assert.rejects(patternsInSource('RegExp("a")', 'some.ts'), /computes/);
});

test('no pattern takes more than linear time', () => {
  const faults = distinct(patterns).flatMap((pattern) => {
    const fault = analyze(pattern) ?? measure(pattern);
    return fault === undefined ? [] : [`/${pattern.source}/${pattern.flags} of ${pattern.place}: ${fault}`];
  });
  assert.deepEqual(faults, []);
});

const slowPatterns = ['\\s+$', '^(a|b)*a(a|b)*$', '\\{\\{\\s*([^{}]+?)\\s*\\}\\}', 'eyJ[\\w-]+\\.'];

test('the analysis finds patterns that take more than linear time', () => {
  for (const source of slowPatterns) {
    assert.match(String(analyze({ source, flags: 'g', place: '' })), /^vulnerable/, source);
  }
});

test('the measurement finds patterns that take more than linear time', () => {
  for (const source of slowPatterns) {
    assert.match(String(measure({ source, flags: 'g', place: '' })), /takes/, source);
  }
});

/** Returns an attack on a pattern, found by analyzing its automaton, or undefined. */
function analyze({ source, flags }: Pattern): string | undefined {
  // Attacks on patterns that can't be turned into an automaton are searched for randomly: with the seed, each run finds the same.
  const result = checkSync(source, flags, { timeout: 120_000, randomSeed: 1 });
  if (result.status === 'safe') return undefined;
  return result.status === 'vulnerable' ? `vulnerable to ${result.attack.pattern}` : result.error.kind;
}

/** Returns the growing input on which a pattern takes more than linear time, or undefined. */
function measure(pattern: Pattern): string | undefined {
  const expression = new RegExp(pattern.source, pattern.flags.replace('y', ''));
  for (const { description, make } of hostileInputs(pattern)) {
    const growth = growthOf((length) => {
      const input = make(length);
      return () => input.replace(expression, '');
    });
    if (growth !== undefined && growth > maxGrowth)
      return `${description} takes ${growth.toFixed(1)} times as long for n × 4`;
  }
  return undefined;
}

const distinct = (all: readonly Pattern[]): Pattern[] => [
  ...new Map(all.map((pattern) => [`${pattern.source}/${pattern.flags}`, pattern])).values(),
];

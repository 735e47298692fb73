import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AST } from 'format-message-parse';
import { parseMessage } from '../../src/shared/language/format.ts';
import { allMessages, readCatalogs } from '../../scripts/language/catalogs.ts';

const { uses, faults } = allMessages();
const known = new Map(uses.map((use) => [use.message, use]));

/** Returns the placeholders of a message with their types, and its elements. */
function placeholders(elements: AST): string[] {
  const found = elements.flatMap((element): string[] => {
    if (typeof element === 'string' || element[0] === '#') return [];
    const [name, type = '', ...details] = element;
    const variants = details.find((detail) => typeof detail === 'object');
    const inside = Object.values(variants ?? {}).flatMap((variant: AST) => placeholders(variant));
    return [
      type === '<>'
        ? `<${name}>`
        : `${name} ${
            type === 'select'
              ? Object.keys(variants ?? {})
                  .toSorted()
                  .join()
              : type
          }`,
      ...inside,
    ];
  });
  return [...new Set(found)].toSorted();
}

const supported = new Set(['plural', 'select', '<>']);

/** Returns whether messages use only what `format.ts` writes. */
const isSupported = (elements: AST): boolean =>
  elements.every((element) => {
    if (typeof element === 'string' || element.length === 1) return true;
    const variants = element.slice(2).find((detail) => typeof detail === 'object') ?? {};
    return supported.has(element[1]) && Object.values(variants).every((variant: AST) => isSupported(variant));
  });

test('each message is a literal text, so that catalogs can contain it', () => {
  assert.deepEqual(faults, []);
});

test('each message has values in all places or in none, and the same for elements', () => {
  const mixed = uses.filter(
    (use) =>
      known.get(use.message)?.hasElements !== use.hasElements ||
      known.get(use.message)?.hasValues !== use.hasValues,
  );
  assert.deepEqual(mixed, []);
});

for (const [language, catalog] of readCatalogs()) {
  test(`the catalog ${language} is sorted, and has a translation of every message and no others`, () => {
    const advice = 'Run `npm run language`, and translate what it lists.';
    assert.deepEqual(Object.keys(catalog), [...known.keys()].toSorted(), advice);
    const empty = Object.keys(catalog).filter((message) => catalog[message]?.trim() === '');
    assert.deepEqual(empty, [], advice);
  });

  test(`the catalog ${language} has the same placeholders and elements in each message`, () => {
    for (const [message, translation] of Object.entries(catalog).filter(
      ([message]) => known.get(message)?.hasValues === true,
    )) {
      const parse = (text: string) => parseMessage(text, known.get(message)?.hasElements ?? false);
      const [original, translated] = [parse(message), parse(translation)];
      assert.ok(isSupported(original) && isSupported(translated), message);
      assert.deepEqual(placeholders(translated), placeholders(original), message);
    }
  });
}

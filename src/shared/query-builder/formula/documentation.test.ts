import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { functionCategories, signatureOf } from './functions/definition.ts';
import { formulaFunctions } from './functions/functions.ts';

const titles = {
  logic: 'Conditions and missing values',
  number: 'Numbers',
  text: 'Text',
  date: 'Dates and times',
  aggregate: 'Aggregates, in measures only',
} as const;

/** Returns the tables of functions as they are in the documentation. */
function functionTables(): string {
  return functionCategories
    .map((category) => {
      const rows = formulaFunctions
        .filter((definition) => definition.category === category)
        .map(
          (definition) =>
            `| \`${signatureOf(definition)}\` | ${definition.description} | \`${definition.example}\` |`,
        );
      return `**${titles[category]}**\n\n| Function | Result | Example |\n|---|---|---|\n${rows.join('\n')}`;
    })
    .join('\n\n');
}

test('the documentation lists every function of formulas', () => {
  const page = readFileSync(new URL('../../../../docs/query-builder.md', import.meta.url), 'utf8');
  assert.ok(page.includes(functionTables()), `docs/query-builder.md must contain:\n\n${functionTables()}`);
});

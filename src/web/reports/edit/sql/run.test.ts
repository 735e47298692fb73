import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReportParameter } from '#contract/reports/reports.ts';
import { isSameRun, type Run } from './run.ts';

const region: ReportParameter = { name: 'region', type: 'text', default: 'north' };
const run = (content: Partial<Run['content']> = {}, values: Run['values'] = {}): Run => ({
  content: { dataSourceId: 'one', query: 'select 1', parameters: [region], ...content },
  values,
});

for (const [name, other, isSame] of [
  ['the same query', run(), true],
  ['white space around the query', run({ query: ' select 1\n' }), true],
  ['a default that is also entered', run({}, { region: 'north' }), true],
  ['the value of a parameter that was removed', run({}, { other: 'x' }), true],
  ['a new label', run({ parameters: [{ ...region, label: 'Region' }] }), true],
  ['another query', run({ query: 'select 2' }), false],
  ['another data source', run({ dataSourceId: 'two' }), false],
  ['another value', run({}, { region: 'south' }), false],
  ['no value in place of the default', run({}, { region: null }), false],
  ['another default', run({ parameters: [{ ...region, default: 'south' }] }), false],
] as const) {
  test(`a result ${isSame ? 'is still current' : 'is older'} after a change to ${name}`, () => {
    assert.equal(isSameRun(run(), other), isSame);
  });
}

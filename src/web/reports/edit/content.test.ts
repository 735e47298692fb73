import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyContent, reportDrafts, withPart } from './content.ts';

const content = { ...emptyContent('s'), name: 'R', query: 'select 1' };

test('a draft is used only if its content has the current form', () => {
  assert.equal(reportDrafts.isContent(content), true);
  for (const other of [undefined, null, [], {}, { query: 1 }, { ...content, parameters: {} }]) {
    assert.equal(reportDrafts.isContent(other), false, JSON.stringify(other));
  }
});

test('the order of members does not make content different', () => {
  const { name, ...rest } = content;
  assert.equal(reportDrafts.isSame({ ...rest, name }, content), true);
  assert.equal(reportDrafts.isSame({ ...content, cacheSeconds: 0 }, content), false);
});

test('an empty description is removed', () => {
  const described = withPart(emptyContent('s'), { name: 'R', description: 'words' });
  assert.deepEqual([described.name, described.description], ['R', 'words']);
  assert.deepEqual(withPart(described, { description: '' }), { ...emptyContent('s'), name: 'R' });
});

test('content is blank until something is written, whichever data source is chosen', () => {
  assert.equal(reportDrafts.isBlank(emptyContent('other')), true);
  for (const written of [{ name: 'R' }, { query: 'select 1' }, { description: 'words' }]) {
    assert.equal(reportDrafts.isBlank({ ...emptyContent('s'), ...written }), false);
  }
});

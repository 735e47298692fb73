import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configOf, reasonAgainst, valuesIn } from './content-values.ts';

test('an edit of a content changes what its dialog shows, and nothing else', () => {
  const config = { text: 'Old', title: 'Note', parent: 'costs', links: 7 };
  const values = { ...valuesIn(config), title: ' ', text: 'New' };
  assert.deepEqual(configOf('text', values, config), { parent: 'costs', links: 7, text: 'New' });
  assert.deepEqual(configOf('heading', { ...values, size: 'small' }, config), {
    title: 'Note',
    parent: 'costs',
    links: 7,
    text: 'New',
    size: 'small',
  });
});

test('empty links are left out, and the others must have an address', () => {
  const link = { label: '', url: ' /guide ', description: ' ' };
  const values = { ...valuesIn({}), title: 'More', links: [link, { label: ' ', url: '', description: '' }] };
  assert.deepEqual(configOf('links', values, {}), { title: 'More', links: [{ url: '/guide' }] });
  assert.equal(reasonAgainst('links', values), undefined);
  assert.equal(reasonAgainst('links', valuesIn({})), 'Enter a link first.');
  const script = { label: 'Script', url: 'javascript:alert(1)', description: '' };
  assert.equal(reasonAgainst('links', { ...values, links: [script] }), 'Correct the addresses first.');
  assert.equal(reasonAgainst('text', valuesIn({ text: ' ' })), 'Enter a text first.');
  assert.equal(reasonAgainst('divider', valuesIn({})), undefined);
});

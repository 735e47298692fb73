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

test('an image must be chosen, and described if it is a link', () => {
  const values = { ...valuesIn({ image: 'ab'.repeat(32), fit: 'fill' }), title: ' Logo ' };
  assert.equal(reasonAgainst('image', valuesIn({})), 'Choose an image first.');
  assert.equal(reasonAgainst('image', values), undefined);
  assert.deepEqual(configOf('image', values, { parent: 'a', url: '/old' }), {
    parent: 'a',
    title: 'Logo',
    image: 'ab'.repeat(32),
    fit: 'fill',
  });
  const linked = { ...values, url: '/boats' };
  assert.match(reasonAgainst('image', linked) ?? '', /^Describe the image first/);
  assert.equal(reasonAgainst('image', { ...linked, description: 'Boats' }), undefined);
  assert.equal(
    reasonAgainst('image', { ...linked, url: 'javascript:alert(1)' }),
    'Correct the address first.',
  );
});

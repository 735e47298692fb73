import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renameReferences } from './rename-references.ts';

const layout = { x: 0, y: 0, w: 6, h: 4 };
const widget = (reportId: string, config: Record<string, unknown>) => ({
  key: reportId,
  reportId,
  layout,
  config,
});
const content = {
  name: 'Traffic',
  description: '',
  widgets: [
    widget('builtin:text', {
      text: 'Of {{Flights > n}}, {{ Flights › late }} and {{Delays > n}}: {{Flights}}',
    }),
    widget('builtin:image', { image: '{{Flights > photo}}' }),
    widget('builtin:divider', {}),
    widget('r1', { text: '{{Flights > n}}' }),
  ],
};

const configsAfter = (after: string, titles: readonly string[]) =>
  renameReferences(content, 'Flights', after, titles).widgets.map(({ config }) => config);

test('references follow a widget that is renamed', () => {
  assert.deepEqual(configsAfter('Departures', ['Flights', 'Delays']), [
    { text: 'Of {{Departures > n}}, {{Departures > late}} and {{Delays > n}}: {{Flights}}' },
    { image: '{{Departures > photo}}' },
    {},
    { text: '{{Flights > n}}' },
  ]);
});

test('references stay if another widget has the title, or if the new one can not be written', () => {
  const same = content.widgets.map(({ config }) => config);
  assert.deepEqual(configsAfter('Departures', ['Flights', 'Flights']), same);
  assert.deepEqual(configsAfter('De}}part', ['Flights']), same);
});

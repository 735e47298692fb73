import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lightTheme as theme } from '../drawing/palette.ts';
import { funnelChart } from './option.ts';

test('the labels of a funnel are beside its widest stage', () => {
  const columns = [
    { name: 'stage', type: 'text' as const, sourceType: '' },
    { name: 'n', type: 'integer' as const, sourceType: '' },
  ];
  const rows = [
    ['Visits', 100],
    ['Orders', 3],
  ];
  const { option } = funnelChart({ kind: 'funnel', category: 'stage', value: 'n' }, { columns, rows }, theme);
  const sizes = (option.media ?? []).map(({ option: { series } }) => {
    const [{ width, labelLayout }] = series as [{ width: string; labelLayout: { x: string } }];
    return [width, labelLayout.x].map((size) => Number(size.replace('%', '')));
  });
  assert.equal(sizes.length, 2);
  for (const [width = 0, x = 0] of sizes) assert.ok(x > width, `${x} is right of ${width}`);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultBranding, setBranding } from '#shared/branding/branding.ts';
import { contrastOf } from '#shared/branding/contrast.ts';
import { chartTheme, darkTheme, lightTheme, readableColor, resolveColor, restColor } from './palette.ts';

for (const theme of [lightTheme, darkTheme]) {
  const name = theme.isDark ? 'dark' : 'light';

  test(`every color of the ${name} palette stands out from its background`, () => {
    assert.equal(new Set(theme.colors).size, 12);
    assert.deepEqual(
      [...theme.colors, restColor(theme)].filter((color) => contrastOf(color, theme.surface) < 3),
      [],
    );
    assert.ok(contrastOf(theme.text, theme.surface) > 10);
    assert.ok(contrastOf(theme.dimmed, theme.surface) > 4.5);
  });

  test(`readableColor makes any color readable in the ${name} theme`, () => {
    for (const color of [...theme.colors, '#ffff00', '#000000', '#ffffff', theme.surface]) {
      assert.ok(contrastOf(readableColor(color, theme), theme.surface) >= 4.5, color);
    }
  });
}

test('the colors of an organization come first, in shades that stand out in both themes', () => {
  const chartColors = ['#ffff00', '#000080', '#0a7d3c'];
  setBranding({ ...defaultBranding, chartColors });
  try {
    for (const theme of [lightTheme, darkTheme]) {
      const branded = chartTheme(theme.isDark);
      assert.deepEqual(branded.colors.slice(3), theme.colors.slice(3));
      assert.deepEqual(
        branded.colors.filter((color) => contrastOf(color, theme.surface) < 3),
        [],
      );
      assert.equal(chartTheme(theme.isDark), branded, 'charts are drawn again when their theme changes');
    }
    assert.equal(chartTheme(false).colors[2], '#0a7d3c');
    assert.equal(chartTheme(true).colors[0], '#ffff00');
  } finally {
    setBranding(defaultBranding);
  }
  assert.equal(chartTheme(false), lightTheme);
});

test('a color is a hexadecimal value or an index in the palette', () => {
  assert.deepEqual(
    ['#a1B2c3', '1', '12'].map((color) => resolveColor(color, lightTheme)),
    ['#a1B2c3', lightTheme.colors[0], lightTheme.colors[11]],
  );
});

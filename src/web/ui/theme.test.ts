import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultBranding } from '#shared/branding/branding.ts';
import { contrastOf } from '#shared/branding/contrast.ts';
import { themeOf } from './theme.ts';

test('links and buttons are readable with any accent color', () => {
  for (const accent of [
    defaultBranding.accentColor,
    '#ffffff',
    '#000000',
    '#ffff00',
    '#ff0000',
    '#808080',
    '#0a7d3c',
  ]) {
    const { colors, other } = themeOf(accent);
    const shades = colors?.['atrium'] ?? [];
    assert.equal(shades.length, 10);
    assert.ok(contrastOf(shades[7] ?? '', '#ffffff') >= 4.5, accent);
    assert.ok(contrastOf(shades[8] ?? '', '#f6f7f9') >= 4.5, accent);
    assert.ok(contrastOf(String(other?.['linkOnDark']), '#242424') >= 4.5, accent);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visibleText } from './visible-text.ts';

test('hidden characters of a query are named, and all others stay', () => {
  const plain = "SELECT 'größer – 北京 🙂 ئ'\r\n\tFROM t -- }";
  assert.equal(visibleText(plain), plain);
  const hidden = 'a\u202eb\u2066c\u200bd\u{e0041}e\u0007f\u2028g\u00adh\u3164i\ufe0fj';
  assert.equal(
    visibleText(hidden),
    'a⟨U+202E⟩b⟨U+2066⟩c⟨U+200B⟩d⟨U+E0041⟩e⟨U+0007⟩f⟨U+2028⟩g⟨U+00AD⟩h⟨U+3164⟩i⟨U+FE0F⟩j',
  );
});

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { platform } from 'node:os';
import { dirname, join } from 'node:path';
import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
import { lightTheme } from '#charts/drawing/palette.ts';
import { fontDirectories } from '../font-directories.ts';
import type { TextStyle } from './painter.ts';

/** The parts of Inter: Latin, Greek and Cyrillic. All other letters are those of the fonts of the system. */
const subsets = ['latin', 'latin-ext', 'greek', 'greek-ext', 'cyrillic', 'cyrillic-ext'];
const weights = [400, 500, 600, 700];

const directory = dirname(createRequire(import.meta.url).resolve('@fontsource/inter/package.json'));

/** The name of each part is different, since a canvas looks for a letter in only one font of a name. */
const familyOf = (subset: string): string => `Inter ${subset}`;
const families = subsets.map((subset) => `'${familyOf(subset)}'`).join(', ');

/** Returns a font as in CSS, with the names that the parts of Inter have here in place of the one on the pages. */
export const withSubsets = (font: string): string => font.replace("'Inter Variable'", families);

/** Loads the fonts of the pages. */
export function loadFonts(): void {
  for (const weight of weights) {
    for (const subset of subsets) {
      const file = join(directory, 'files', `inter-${subset}-${weight}-normal.woff2`);
      GlobalFonts.register(readFileSync(file), familyOf(subset));
    }
  }
}

/** Letters and signs that the parts of Inter have: Latin, Greek, Cyrillic, punctuation, currencies and arrows. */
const shipped = /^[\u0020-\u052F\u1E00-\u206F\u20A0-\u20BF\u2122\u2190-\u2193\u2212\u2215\uFEFF\uFFFD]*$/u;

/** Where systems have their fonts. In the sandbox of a worker, only those of Linux can be read. */
const systemDirectories: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: fontDirectories,
  darwin: ['/System/Library/Fonts', '/Library/Fonts'],
  win32: [String.raw`C:\Windows\Fonts`],
};

/** Fonts that are less suitable for texts. Those without serifs look more like Inter. */
const unusual = /mono|math|condensed|emoji|symbol|display|(?<!sans) ?serif/i;
/** The names are looked up for each text that needs them. */
const maxSystemFamilies = 150;

let systemFamilies: readonly string[] | undefined;

/** Loads the fonts of the system, which takes time if there are many, and returns their names in the order in which they are used. */
function loadSystemFamilies(): readonly string[] {
  for (const each of systemDirectories[platform()] ?? [])
    if (existsSync(each)) GlobalFonts.loadFontsFromDir(each);
  const names = GlobalFonts.families
    .map(({ family }) => family)
    .filter((name) => !name.startsWith('Inter ') && !/['"\\]/.test(name));
  return [
    ...names.filter((name) => !unusual.test(name)),
    ...names.filter((name) => unusual.test(name)),
  ].slice(0, maxSystemFamilies);
}

/**
 * Returns a font as in CSS in which a text can be drawn: one with the fonts of the system, if the text has letters that Inter
 * doesn't. The canvas looks for letters only in fonts that are named.
 */
export function withLettersOf(text: string, font: string): string {
  if (shipped.test(text)) return font;
  systemFamilies ??= loadSystemFamilies();
  return [font, ...systemFamilies.map((name) => `'${name}'`)].join(', ');
}

/** Fonts of common systems in which all letters have the same width. */
const monospaced = "Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', 'Noto Sans Mono', monospace";

/** Returns a font as in CSS in which a text can be drawn. */
export function fontOf({ size, weight, isItalic, isMonospaced }: Font, text: string): string {
  if (isMonospaced === true) systemFamilies ??= loadSystemFamilies();
  const family = isMonospaced === true ? `${monospaced}, ${lightTheme.fontFamily}` : lightTheme.fontFamily;
  // Fonts of the system often have fewer letters in italics, and most of the scripts that need them have none.
  const style = isItalic === true && shipped.test(text) ? 'italic ' : '';
  return withLettersOf(text, withSubsets(`${style}${weight} ${size}px ${family}`));
}

type Font = Pick<TextStyle, 'size' | 'weight' | 'isItalic' | 'isMonospaced'>;

const measured = createCanvas(1, 1).getContext('2d');
let measuredFont = '';

/** Returns the width of a text, in pixels. */
export function widthOf(text: string, style: Font): number {
  const font = fontOf(style, text);
  // To set it takes longer than to measure a word.
  if (font !== measuredFont) measured.font = font;
  measuredFont = font;
  return measured.measureText(text).width;
}

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
import { lightTheme } from '#charts/drawing/palette.ts';
import type { TextStyle } from './painter.ts';

/** The parts of Inter: Latin, Greek and Cyrillic. The fonts of the system are used for all other characters. */
const subsets = ['latin', 'latin-ext', 'greek', 'greek-ext', 'cyrillic', 'cyrillic-ext'];
const weights = [400, 500, 600];

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

/** Returns a font as in CSS. */
export const fontOf = ({ size, weight }: Pick<TextStyle, 'size' | 'weight'>): string =>
  withSubsets(`${weight} ${size}px ${lightTheme.fontFamily}`);

const measured = createCanvas(1, 1).getContext('2d');

/** Returns the width of a text, in pixels. */
export function widthOf(text: string, style: Pick<TextStyle, 'size' | 'weight'>): number {
  measured.font = fontOf(style);
  return measured.measureText(text).width;
}

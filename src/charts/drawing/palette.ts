import { currentBranding } from '#shared/branding/branding.ts';
import { contrastOf, mixColors, withContrast } from '#shared/branding/contrast.ts';

/** The colors of a chart, as `#rrggbb`. */
export interface ChartTheme {
  readonly isDark: boolean;
  /** Twelve colors with a contrast to the surface of at least 3 to 1 (WCAG 2.2, 1.4.11). */
  readonly colors: readonly string[];
  readonly surface: string;
  readonly text: string;
  readonly dimmed: string;
  readonly line: string;
  readonly fontFamily: string;
}

/** The font of the pages, under its names there and in exports. */
const fontFamily =
  "'Inter Variable', Inter, ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";

export const lightTheme: ChartTheme = {
  isDark: false,
  colors: [
    '#3b59b4',
    '#c8600f',
    '#2f7d4f',
    '#c2352b',
    '#7a4fb5',
    '#0d7d8c',
    '#b0377f',
    '#8a6d00',
    '#5b6b7a',
    '#8b4a2b',
    '#3f83d6',
    '#5d7f1f',
  ],
  surface: '#ffffff',
  text: '#212529',
  dimmed: '#565d66',
  line: '#dfe2e6',
  fontFamily,
};

export const darkTheme: ChartTheme = {
  isDark: true,
  colors: [
    '#8ea6f5',
    '#f0a35c',
    '#6cc693',
    '#f58a80',
    '#bfa2ef',
    '#5cc8d6',
    '#ec95cb',
    '#d9bc52',
    '#a5b1bd',
    '#d29c78',
    '#7fb9f7',
    '#b0cb6e',
  ],
  surface: '#242424',
  text: '#e3e5e8',
  dimmed: '#a6a9ad',
  line: '#3a3b40',
  fontFamily,
};

const brandedThemes = new Map<string, ChartTheme>();

/** Returns the theme with the colors of the current organization, and its own after these. The same object for the same colors. */
export function chartTheme(isDark: boolean): ChartTheme {
  const theme = isDark ? darkTheme : lightTheme;
  const { chartColors } = currentBranding();
  if (chartColors.length === 0) return theme;
  const key = `${isDark ? 'dark' : 'light'} ${chartColors.join(' ')}`;
  const known = brandedThemes.get(key) ?? { ...theme, colors: brandedColors(chartColors, theme) };
  brandedThemes.set(key, known);
  return known;
}

/** Returns colors as a theme draws them: with a contrast to the surface of at least 3 to 1, and the theme's after the last. */
export const brandedColors = (chosen: readonly string[], theme: ChartTheme): string[] =>
  theme.colors.map((color, index) => {
    const own = chosen[index];
    return own === undefined ? color : withContrast(own, theme.text, theme.surface, 3);
  });

/** The number of colors of each theme. */
export const paletteSize = lightTheme.colors.length;

/** Returns the color at an index of the palette, from 0; after the last color, it starts again from the first. */
export const colorAt = (theme: ChartTheme, index: number): string =>
  theme.colors[index % theme.colors.length] ?? theme.text;

/** The color of everything that isn't shown by itself, lighter than the grays of the palette. */
export const restColor = (theme: ChartTheme): string => mixColors(theme.dimmed, theme.surface, 0.3);

/** Returns a configured color as `#rrggbb`: it is stored as such, or as a position in the palette from 1. */
export const resolveColor = (color: string, theme: ChartTheme): string =>
  color.startsWith('#') ? color : colorAt(theme, Number(color) - 1);

/** Returns the closest color in which text is readable on the surface: with a contrast of 4.5 to 1 (WCAG 2.2, 1.4.3). */
export const readableColor = (color: string, { text, surface }: ChartTheme): string =>
  withContrast(color, text, surface, 4.5);

/** Returns the color of text on a background: that of the theme if it is readable there, or else black or white (WCAG 2.2, 1.4.3). */
export function textColorOn(background: string, theme: ChartTheme): string {
  if (contrastOf(theme.text, background) >= 4.5) return theme.text;
  return contrastOf('#ffffff', background) >= contrastOf('#000000', background) ? '#ffffff' : '#000000';
}

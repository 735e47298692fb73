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

const fontFamily = "Inter, ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";

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

export const chartTheme = (isDark: boolean): ChartTheme => (isDark ? darkTheme : lightTheme);

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
export function readableColor(color: string, theme: ChartTheme): string {
  for (let share = 0; share < 1; share += 0.1) {
    const mixed = mixColors(color, theme.text, share);
    if (contrastOf(mixed, theme.surface) >= 4.5) return mixed;
  }
  return theme.text;
}

/** Returns a mix of two colors as `#rrggbb`; `share` is that of the second. */
export function mixColors(one: string, other: string, share: number): string {
  const [a, b] = [channelsOf(one), channelsOf(other)];
  return `#${a.map((channel, index) => hex(channel + ((b[index] ?? 0) - channel) * share)).join('')}`;
}

/** Returns the contrast of two colors, from 1 to 21 (WCAG 2.2, relative luminance). */
export function contrastOf(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const channelsOf = (color: string): number[] =>
  [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));

const hex = (channel: number): string => Math.round(channel).toString(16).padStart(2, '0');

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

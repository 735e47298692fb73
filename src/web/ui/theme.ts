import {
  createTheme,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type MantineTheme,
} from '@mantine/core';

const atrium: MantineColorsTuple = [
  '#eef2ff',
  '#dfe5fb',
  '#bcc8f3',
  '#96a9ec',
  '#768fe6',
  '#627fe2',
  '#5676e1',
  '#4664c8',
  '#3b59b4',
  '#2c4b9f',
];

export const theme = createTheme({
  colors: { atrium },
  primaryColor: 'atrium',
  primaryShade: { light: 8, dark: 7 },
  autoContrast: true,
  defaultRadius: 'md',
  respectReducedMotion: true,
  cursorType: 'pointer',
  fontFamily: "Inter, ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace",
  headings: { fontWeight: '600' },
  components: {
    // In dialogs and notifications, it is only an icon.
    CloseButton: { defaultProps: { 'aria-label': 'Close' } },
    // A menu at the end of the document would be in no landmark. The first item gets the focus (WAI-ARIA, menu button); the
    // library's placeholder would be a child that a menu must not have.
    Menu: { defaultProps: { withinPortal: false, withInitialFocusPlaceholder: false } },
    Modal: { defaultProps: { centered: true }, styles: { title: { fontWeight: 600 } } },
    // Their `header` elements would be further banners of the page.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
    // Titles in the color of the alert have a contrast below 4.5:1 on yellow.
    Alert: { styles: { title: { color: 'var(--mantine-color-text)' } } },
  },
});

/** Mantine's muted colors have a contrast below 4.5:1 on its own backgrounds (WCAG 2.2, 1.4.3). */
export const cssVariables: CSSVariablesResolver = (theme) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#565d66',
    '--mantine-color-placeholder': '#666d75',
    '--mantine-color-error': '#c92a2a',
    '--atrium-canvas': '#f6f7f9',
    '--atrium-line': '#dfe2e6',
  },
  dark: {
    ...tintsOnDark(theme),
    '--mantine-color-anchor': '#96a9ec',
    '--mantine-color-dimmed': '#a6a9ad',
    '--mantine-color-placeholder': '#9a9da1',
    '--mantine-color-error': '#ff8787',
    '--atrium-canvas': '#1b1c1f',
    '--atrium-line': '#3a3b40',
  },
});

/** Light variants as tints of the dark background: the library's own are too bright in the dark theme. */
const tintsOnDark = ({ colors }: MantineTheme): Record<string, string> =>
  Object.fromEntries(
    Object.entries(colors).flatMap(([name, shades]) => [
      [`--mantine-color-${name}-light`, mix(shades[7], colors.dark[7], 0.16)],
      [`--mantine-color-${name}-light-hover`, mix(shades[7], colors.dark[7], 0.26)],
    ]),
  );

/** Returns a mix of two colors with `share` of the first; all are `#rrggbb`. */
function mix(one: string, other: string, share: number): string {
  const parts = [1, 3, 5].map((start) => {
    const [a = 0, b = 0] = [one, other].map((color) => Number.parseInt(color.slice(start, start + 2), 16));
    return Math.round(a * share + b * (1 - share))
      .toString(16)
      .padStart(2, '0');
  });
  return `#${parts.join('')}`;
}

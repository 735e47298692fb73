import {
  createTheme,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type MantineTheme,
  type MantineThemeOverride,
} from '@mantine/core';
import { defaultBranding } from '#shared/branding/branding.ts';
import { mixColors, withContrast } from '#shared/branding/contrast.ts';
import { t } from '#shared/language/messages.ts';

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

/** The backgrounds of text. */
const [lightCanvas, darkSurface] = ['#f6f7f9', '#242424'];

/** Returns ten shades of an accent color. Links, and white text on buttons, are readable in the ninth; in dark themes, buttons have the eighth. */
function shadesOf(accent: string): MantineColorsTuple {
  if (accent === defaultBranding.accentColor) return atrium;
  const onLight = withContrast(accent, '#000000', lightCanvas, 5.5);
  const belowWhite = withContrast(accent, '#000000', '#ffffff', 4.5);
  const tints = [0.92, 0.84, 0.7, 0.55, 0.4, 0.25, 0.12].map((share) => mixColors(onLight, '#ffffff', share));
  // Sound because there are ten.
  return [...tints, belowWhite, onLight, mixColors(onLight, '#000000', 0.2)] as unknown as MantineColorsTuple;
}

/** Returns the theme of pages with an accent color, as `#rrggbb`. */
export const themeOf = (accent: string): MantineThemeOverride => ({
  ...theme,
  colors: { atrium: shadesOf(accent) },
  other: { linkOnDark: withContrast(shadesOf(accent)[3], '#ffffff', darkSurface, 4.5) },
});

const theme = createTheme({
  primaryColor: 'atrium',
  primaryShade: { light: 8, dark: 7 },
  autoContrast: true,
  defaultRadius: 'md',
  respectReducedMotion: true,
  cursorType: 'pointer',
  fontFamily:
    "'Inter Variable', Inter, ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace",
  headings: { fontWeight: '600' },
  components: {
    // In dialogs and notifications, it is only an icon.
    CloseButton: { defaultProps: { 'aria-label': t('Close') } },
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
    '--mantine-color-anchor': String(theme.other['linkOnDark']),
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
      [`--mantine-color-${name}-light`, mixColors(shades[7], colors.dark[7], 0.84)],
      [`--mantine-color-${name}-light-hover`, mixColors(shades[7], colors.dark[7], 0.74)],
    ]),
  );

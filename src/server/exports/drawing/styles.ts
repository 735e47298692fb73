import { lightTheme as theme } from '#charts/drawing/palette.ts';

/** The color of texts of the page; charts have that of their theme. */
export const textColor = '#000000';
export const titleStyle = { size: 14, weight: 600, color: textColor } as const;
export const textStyle = { size: 14, weight: 400, color: textColor } as const;
/** That of a visualization that is a text. */
export const largeTextStyle = { ...textStyle, size: 16 } as const;
export const noteStyle = { size: 12, weight: 400, color: theme.dimmed } as const;
/** The height of a line of each, as on the page. */
export const textLineHeight = 21.7;
export const largeTextLineHeight = 24.8;
export const noteLineHeight = 18.6;

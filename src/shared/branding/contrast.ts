/** Returns a mix of two colors, all as `#rrggbb`; `share`, from 0 to 1, is that of the second. */
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

/** Returns the mix of two colors with the least of `other` that has at least this contrast to a surface; `other` if none has. */
export function withContrast(color: string, other: string, surface: string, contrast: number): string {
  for (let share = 0; share < 1; share += 0.1) {
    const mixed = mixColors(color, other, share);
    if (contrastOf(mixed, surface) >= contrast) return mixed;
  }
  return other;
}

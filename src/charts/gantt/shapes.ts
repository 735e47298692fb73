import type { CustomSeriesOption } from 'echarts';
import { mixColors } from '#shared/branding/contrast.ts';
import type { ChartTheme } from '../drawing/palette.ts';

type RenderItem = NonNullable<CustomSeriesOption['renderItem']>;

const maxBarPx = 26;
/** The opacity of what isn't done yet. */
const restOpacity = 0.35;

/** Returns a function that draws a bar with its progress, or a diamond for a single moment. A bar without an end fades out. */
export const renderBar =
  (theme: ChartTheme): RenderItem =>
  (_, api) => {
    const lane = api.value(0);
    const [x = 0, y = 0] = api.coord([api.value(1), lane]);
    const [end = x] = api.coord([api.value(2), lane]);
    const size = api.size?.([0, 1]);
    const bandPx = Array.isArray(size) ? (size[1] ?? 0) : 0;
    const height = Math.max(Math.min(bandPx * 0.62, maxBarPx), 1);
    const visual = api.visual('color');
    const color = typeof visual === 'string' ? visual : theme.text;
    const decal = api.visual('decal');
    const isOpen = api.value(4) === 1;
    if (api.value(1) === api.value(2)) return diamond(x, y, height, color);
    // A short bar stays visible.
    const width = Math.max(end - x, 2);
    const radius = width > 6 ? 3 : 0;
    const shape = { x, y: y - height / 2, width, height };
    const progress = Number(api.value(3));
    const bar = (part: object, style: object) => ({
      type: 'rect' as const,
      shape: { ...shape, r: radius, ...part },
      style: { ...style, ...(decal && { decal }) },
    });
    if (isOpen) return bar({}, { fill: fadingOut(color, theme) });
    if (Number.isNaN(progress)) return bar({}, { fill: color });
    return {
      type: 'group' as const,
      children: [
        bar({}, { fill: color, opacity: restOpacity }),
        bar({ width: width * progress }, { fill: color }),
      ],
    };
  };

/** The color can have an opacity, which is left out at the end. */
const fadingOut = (color: string, theme: ChartTheme): object => ({
  type: 'linear',
  x: 0,
  y: 0,
  x2: 1,
  y2: 0,
  colorStops: [
    { offset: 0, color },
    { offset: 1, color: mixColors(color.slice(0, 7), theme.surface, 0.85) },
  ],
});

const diamond = (x: number, y: number, height: number, color: string) => {
  const half = Math.min(height / 2, 8);
  return {
    type: 'polygon' as const,
    shape: {
      points: [
        [x, y - half],
        [x + half, y],
        [x, y + half],
        [x - half, y],
      ] as [number, number][],
    },
    style: { fill: color },
  };
};

/** Returns a function that draws a line with a label above it across the whole chart. */
export const renderToday =
  (label: string, theme: ChartTheme): RenderItem =>
  (params, api) => {
    const [x = 0] = api.coord([api.value(0), 0]);
    // Sound because the chart has a grid.
    const { y, height } = params.coordSys as unknown as { readonly y: number; readonly height: number };
    return {
      type: 'group' as const,
      children: [
        {
          type: 'line' as const,
          shape: { x1: x, y1: y, x2: x, y2: y + height },
          style: { stroke: theme.text, lineWidth: 1, lineDash: [4, 3] },
        },
        {
          type: 'text' as const,
          style: {
            text: label,
            x,
            y: y - 3,
            fill: theme.text,
            fontSize: 11,
            fontFamily: theme.fontFamily,
            align: 'center',
            verticalAlign: 'bottom',
          },
        },
      ],
    };
  };

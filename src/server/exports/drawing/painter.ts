import type { EChartsOption } from 'echarts';

/** A rectangle, in pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface TextStyle {
  readonly size: number;
  readonly weight: 400 | 500 | 600;
  readonly color: string;
}

/** What pictures are drawn with: a canvas, a page of a PDF, or an SVG. */
export interface Painter {
  rectangle(
    box: Box,
    style: { readonly fill?: string; readonly stroke?: string; readonly radius?: number },
  ): void;
  line(from: { x: number; y: number }, to: { x: number; y: number }, color: string, width?: number): void;
  circle(center: { x: number; y: number }, radius: number, fill: string): void;
  /** Draws one line of text from `x` on the baseline `y`. */
  text(x: number, y: number, text: string, style: TextStyle): void;
  /** Draws only within the box. */
  clip(box: Box, draw: () => void): void;
  /** Draws a chart by the options of ECharts. */
  chart(box: Box, option: EChartsOption): void;
}

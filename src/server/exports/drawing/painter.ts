import type { EChartsOption } from 'echarts';
import type { ImageFit } from '#shared/content-widgets/content-widgets.ts';
import type { LoadedImage } from '../document/images.ts';

/** A rectangle, in pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface TextStyle {
  readonly size: number;
  readonly weight: 400 | 500 | 600 | 700;
  readonly color: string;
  readonly isItalic?: boolean;
  readonly isMonospaced?: boolean;
  /** The direction of signs between words, such as a comma; letters have their own. */
  readonly isRightToLeft?: boolean;
}

/** What pictures are drawn with: a canvas, a page of a PDF, or an SVG. */
export interface Painter {
  rectangle(
    box: Box,
    style: { readonly fill?: string; readonly stroke?: string; readonly radius?: number },
  ): void;
  line(from: { x: number; y: number }, to: { x: number; y: number }, color: string, width?: number): void;
  /** Draws a line along a path, as in the attribute `d` of an SVG path, from a point. */
  path(origin: { x: number; y: number }, d: string, color: string, width: number): void;
  circle(center: { x: number; y: number }, radius: number, fill: string): void;
  /** Draws one line of text from `x` on the baseline `y`. */
  text(x: number, y: number, text: string, style: TextStyle): void;
  /** Draws only within the box. */
  clip(box: Box, draw: () => void): void;
  /** Draws an image in the middle of a box: all of it, or so that it fills the box. */
  image(box: Box, image: LoadedImage, fit: ImageFit): void;
  /** Draws a chart by the options of ECharts. */
  chart(box: Box, option: EChartsOption): void;
  /** Makes a box a link to an address that `safeHref` returned, in a PDF. Pictures have no links. */
  link(box: Box, href: string): void;
}

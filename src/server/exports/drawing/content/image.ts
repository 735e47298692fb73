import type { Content, ImageSource } from '#shared/content-widgets/content-widgets.ts';
import { imageOfValue, type ShownImage } from '#shared/images/image-value.ts';
import { safeHref } from '#shared/links.ts';
import type { LoadedImage } from '../../document/images.ts';
import type { Box, Painter } from '../painter.ts';
import type { ValueOf } from './runs.ts';

/** Returns an image; undefined if its description is shown instead. */
export type ImageOf = (image: ShownImage) => LoadedImage | undefined;

/** Returns the image of a widget: the uploaded one, or the one that a value is. */
export function shownImage(source: ImageSource, valueOf: ValueOf): ShownImage | undefined {
  if ('id' in source) return source;
  const value = valueOf(source.reference);
  return value.kind === 'value' ? imageOfValue(value.text) : undefined;
}

/** Draws the image of a widget. Returns whether there is one. */
export function drawImage(
  painter: Painter,
  box: Box,
  { source, fit, url }: Extract<Content, { kind: 'image' }>,
  { valueOf, imageOf }: { readonly valueOf: ValueOf; readonly imageOf: ImageOf },
): boolean {
  const shown = shownImage(source, valueOf);
  const image = shown && imageOf(shown);
  if (image === undefined) return false;
  painter.image(box, image, fit);
  const href = url === undefined ? undefined : safeHref(url);
  if (href !== undefined) painter.link(box, href);
  return true;
}

import { imageIdsInText } from '../images/image-value.ts';
import { contentOf } from './content-widgets.ts';

/** Returns the uploaded images that a widget shows, in their order; not those that are in its data. */
export function imagesIn(
  widget: Parameters<typeof contentOf>[0],
): readonly { readonly id: string; readonly description: string }[] {
  const content = contentOf(widget);
  if (content?.kind === 'text') return imageIdsInText(content.text).map((id) => ({ id, description: '' }));
  return content?.kind === 'image' && 'id' in content.source
    ? [{ id: content.source.id, description: content.description }]
    : [];
}

import type { Content } from './content-widgets.ts';
import { maskReferences, type Reference } from './references.ts';

/** Returns the references in a content. */
export function referencesIn(content: Content | undefined): readonly Reference[] {
  if (content?.kind === 'text' || content?.kind === 'heading') return maskReferences(content.text).references;
  return content?.kind === 'image' && 'reference' in content.source ? [content.source.reference] : [];
}

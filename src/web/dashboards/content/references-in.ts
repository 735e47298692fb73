import type { Content } from '#shared/content-widgets/content-widgets.ts';
import { maskReferences, type Reference } from '#shared/content-widgets/references.ts';

/** Returns the references in a content. */
export const referencesIn = (content: Content | undefined): readonly Reference[] =>
  content?.kind === 'text' || content?.kind === 'heading' ? maskReferences(content.text).references : [];

import { t } from '../language/messages.ts';
import { fillTemplate } from '../visualizations/template.ts';

/** Returns the title of a tab, which always needs one. */
export const tabTitle = ({ title }: { readonly title: string }): string =>
  title === '' ? t('Untitled') : title;

/** Returns the name of a section in lists, which always need one: a page shows none for it. */
export const sectionTitle = ({ title }: { readonly title: string }): string =>
  title === '' ? t('Untitled section') : title;

/**
 * Returns the title of a section for one value of the filter that it is repeated by: in the place of `{{filter}}` in its title,
 * or else after it.
 */
export function repeatedTitle(title: string, filter: string, value: string): string {
  const filled = fillTemplate(title, (name) => (name === filter ? value : undefined));
  if (filled !== title) return filled;
  return title === '' ? value : `${title}: ${value}`;
}

import { contentKindOf } from '#shared/content-widgets/content-widgets.ts';
import { referenceTo, replaceReferences } from '#shared/content-widgets/references.ts';
import type { DraftContent } from './content.ts';

/**
 * Replaces the references to the values of a widget that was renamed. None are replaced if another widget has the title too, which
 * they may mean as well.
 */
export function renameReferences(
  content: DraftContent,
  before: string,
  after: string,
  titles: readonly string[],
): DraftContent {
  if (before === after || titles.filter((title) => title === before).length > 1) return content;
  const renamed = (text: unknown) =>
    typeof text === 'string'
      ? replaceReferences(text, ({ columns }) => {
          const column = columns.find(({ title }) => title === before)?.column;
          return column === undefined ? undefined : referenceTo(after, column);
        })
      : text;
  return {
    ...content,
    widgets: content.widgets.map((widget) => {
      if (contentKindOf(widget) === undefined) return widget;
      const { text, image } = widget.config;
      const changed = { text: renamed(text), image: renamed(image) };
      return changed.text === text && changed.image === image
        ? widget
        : {
            ...widget,
            config: {
              ...widget.config,
              ...(text !== undefined && { text: changed.text }),
              ...(image !== undefined && { image: changed.image }),
            },
          };
    }),
  };
}

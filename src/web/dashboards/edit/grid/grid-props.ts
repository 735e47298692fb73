import type { DraftWidget } from '../draft/content.ts';
import type { EditorResults } from '../use-editor-results.ts';
import type { WidgetActions } from '../widget/use-widget-actions.ts';

/** A grid of an edit, whose widgets are moved by themselves: that of the top level, of a tab or of a section. */
export interface GridProps {
  /** The key of the tab or section; empty for the top level. */
  readonly parent: string;
  readonly widgets: readonly DraftWidget[];
  /** The titles of all widgets, by their keys. */
  readonly titles: ReadonlyMap<string, string>;
  readonly actions: WidgetActions;
  readonly results: EditorResults;
  /** The key of the widget that is moved with the keyboard. */
  readonly moving: string | undefined;
  /** The key of the widget that was added last. */
  readonly added: string | undefined;
}

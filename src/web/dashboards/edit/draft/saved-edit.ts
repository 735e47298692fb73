import type { Dashboard } from '#contract/dashboards/dashboards.ts';
import { mapHistory, type EditHistory } from '../../../drafts/undo-history.ts';
import { contentOf, type DraftContent, type DraftWidget } from './content.ts';

/**
 * Returns the saved dashboard as content in which the widgets have the keys that they were sent with. If nobody else's edits
 * were merged, the widgets are in the order in which they were sent; otherwise new ones are matched by report and config.
 */
export function savedContent(sent: DraftContent, saved: Dashboard, isMerged: boolean): DraftContent {
  const content = contentOf(saved);
  const keys = isMerged
    ? keysOfMerged(sent, content)
    : new Map(content.widgets.map(({ key }, index) => [key, sent.widgets[index]?.key ?? key]));
  return {
    ...content,
    widgets: content.widgets.map((widget) => ({ ...widget, key: keys.get(widget.key) ?? widget.key })),
  };
}

function keysOfMerged(sent: DraftContent, saved: DraftContent): Map<string, string> {
  const keys = new Map(sent.widgets.flatMap(({ id, key }) => (id === undefined ? [] : [[id, key]])));
  const savedKeys = new Set(saved.widgets.map(({ key }) => key));
  const added = sent.widgets.filter(({ id }) => id === undefined || !savedKeys.has(id));
  // Reversed, because taking the last element of a long list is cheaper than taking the first.
  const same = Map.groupBy(added.toReversed(), shownBy);
  for (const widget of saved.widgets.filter(({ key }) => !keys.has(key))) {
    const match = same.get(shownBy(widget))?.pop();
    if (match !== undefined) keys.set(widget.key, match.key);
  }
  return keys;
}

const shownBy = ({ reportId, config }: DraftWidget): string => JSON.stringify([reportId, config]);

/** Sets the IDs that the server assigned to new widgets, by their keys, in every state of an edit. */
export const withIds = (
  history: EditHistory<DraftContent>,
  ids: ReadonlyMap<string, string>,
): EditHistory<DraftContent> =>
  mapHistory(history, (content) => ({
    ...content,
    widgets: content.widgets.map((widget) => {
      const id = ids.get(widget.key);
      return id === undefined || id === widget.id ? widget : { ...widget, id };
    }),
  }));

/** Returns the IDs of the widgets, by their keys. */
export const idsOf = (content: DraftContent): Map<string, string> =>
  new Map(content.widgets.flatMap(({ key, id }) => (id === undefined ? [] : [[key, id]])));

/** Returns the saved content with the changes that were made since it was sent. */
export function carryOver(sent: DraftContent, present: DraftContent, saved: DraftContent): DraftContent {
  if (sent === present) return saved;
  const before = new Map(sent.widgets.map((widget) => [widget.key, widget]));
  const now = new Map(present.widgets.map((widget) => [widget.key, widget]));
  const kept = saved.widgets.flatMap((widget) => {
    const [old, changed] = [before.get(widget.key), now.get(widget.key)];
    if (old !== undefined && changed === undefined) return [];
    if (old === changed || changed === undefined) return [widget];
    return [{ ...changed, ...(widget.id !== undefined && { id: widget.id }) }];
  });
  const added = present.widgets.filter(({ key }) => !before.has(key));
  return {
    name: present.name === sent.name ? saved.name : present.name,
    description: present.description === sent.description ? saved.description : present.description,
    widgets: [...kept, ...added],
  };
}

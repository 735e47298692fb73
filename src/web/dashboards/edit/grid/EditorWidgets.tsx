import { Button, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconLayoutGridAdd } from '@tabler/icons-react';
import { Suspense, useMemo, useState, type Dispatch, type ReactNode } from 'react';
import { contentKindOf, nameOfContent } from '#shared/content-widgets/content-widgets.ts';
import { withVisibleLayouts } from '#shared/grid/visible-layouts.ts';
import { containerTitleOf, structureOf, tabWidgetId, topLevel } from '#shared/sections/structure.ts';
import { sectionTitle, tabTitle } from '#shared/sections/titles.ts';
import { EmptyState } from '../../../ui/page/EmptyState.tsx';
import { moveContainer } from '../draft/containers.ts';
import { changeWidget, setContent, type DraftContent } from '../draft/content.ts';
import { renameReferences } from '../draft/rename-references.ts';
import { titleOf } from '#charts/widgets/title.ts';
import { t } from '#shared/language/messages.ts';
import type { EditAction } from '../../../drafts/undo-history.ts';
import { EditorGrid } from './EditorGrid.tsx';
import { EditorStack } from './EditorStack.tsx';
import { narrowWindow } from '../../view/narrow-window.ts';
import type { EditorResults } from '../use-editor-results.ts';
import { ContentDialog } from '../content/LazyContentDialog.tsx';
import { EditorParts, type PartActions } from '../sections/EditorParts.tsx';
import type { SectionQuestion } from '../sections/questions.ts';
import { useWidgetActions } from '../widget/use-widget-actions.ts';
import { WidgetDialog } from '../widget/WidgetDialog.tsx';

/** The widgets of an edit: on the grid, or on a phone in one column. Actions are announced to screen readers. */
export function EditorWidgets({
  content,
  dispatch,
  nameOfReport,
  results,
  organizationId,
  added,
  openTab,
  onAdd,
  onAsk,
  onOpenTab,
}: {
  readonly content: DraftContent;
  readonly dispatch: Dispatch<EditAction<DraftContent>>;
  readonly nameOfReport: (reportId: string) => string;
  readonly results: EditorResults;
  readonly organizationId: string | undefined;
  /** The key of the widget that was added last. */
  readonly added: string | undefined;
  /** The key of the open tab; empty if there are no tabs. */
  readonly openTab: string;
  /** Adds a widget to a tab or section, by its key. */
  readonly onAdd: (parent: string) => void;
  readonly onAsk: (question: SectionQuestion) => void;
  readonly onOpenTab: (key: string) => void;
}): ReactNode {
  const [editing, setEditing] = useState<string>();
  const isNarrow = useMediaQuery(narrowWindow, undefined, { getInitialValueInEffect: false });
  const titles = useMemo(
    () => titlesOf(content, results.lineOf, nameOfReport),
    [content, results.lineOf, nameOfReport],
  );
  const edited = content.widgets.find(({ key }) => key === editing);
  const editedKind = edited && contentKindOf(edited);
  const { actions, moving, shown, announcement, announce } = useWidgetActions({
    content,
    dispatch,
    titles,
    onEdit: setEditing,
    onMoveTo: (key) => onAsk({ kind: 'move', key }),
  });
  const structure = useMemo(() => structureOf(shown.widgets), [shown.widgets]);
  const isPlain = structure.sections.length === 0 && structure.tabs.length === 0;
  const parts: PartActions = {
    ask: onAsk,
    move: (key, index) => {
      // The open tab stays open, also while that is only because it is the first.
      onOpenTab(openTab);
      dispatch({ type: 'change', change: (before) => moveContainer(before, key, index) });
      announce(
        t('Moved {nameOfContainer} to position {number}.', {
          nameOfContainer: nameOfContainer(content, key),
          number: index + 1,
        }),
      );
    },
    addWidget: onAdd,
    openTab: onOpenTab,
  };
  if (isPlain && withVisibleLayouts(structure.widgets).length === 0) {
    return (
      <EmptyState
        icon={IconLayoutGridAdd}
        title={t('This dashboard is empty')}
        action={<Button onClick={() => onAdd(topLevel)}>{t('Add the first widget')}</Button>}
      >
        {t('A widget shows a report, or a text, a heading, an image or links.')}
      </EmptyState>
    );
  }
  const Grid = isNarrow ? EditorStack : EditorGrid;
  const grid = { titles, actions, results, moving, added };
  return (
    <>
      {isPlain ? (
        <Grid {...grid} parent={topLevel} widgets={structure.widgets} />
      ) : (
        <EditorParts structure={structure} openTab={openTab} Grid={Grid} grid={grid} actions={parts} />
      )}
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
      {editedKind !== undefined && (
        <Suspense>
          <ContentDialog
            kind={editedKind}
            config={edited?.config}
            onClose={() => setEditing(undefined)}
            onSubmit={(config) => {
              if (editing !== undefined)
                dispatch({ type: 'change', change: (before) => setContent(before, editing, config) });
              setEditing(undefined);
            }}
          />
        </Suspense>
      )}
      <WidgetDialog
        widget={editedKind === undefined ? edited : undefined}
        organizationId={organizationId}
        nameOfReport={nameOfReport}
        onClose={() => setEditing(undefined)}
        onChange={(change) => {
          if (editing !== undefined) {
            const before = titles.get(editing) ?? '';
            const title = change.title || nameOfReport(change.reportId);
            dispatch({
              type: 'change',
              change: (content) =>
                renameReferences(changeWidget(content, editing, change), before, title, [...titles.values()]),
            });
          }
          setEditing(undefined);
        }}
      />
    </>
  );
}

/** Returns a tab or section in words. */
function nameOfContainer({ widgets }: DraftContent, key: string): string {
  const container = widgets.find((widget) => widget.key === key);
  if (container === undefined) return t('it');
  const named = { title: containerTitleOf(container) };
  return container.reportId === tabWidgetId
    ? t('tab “{title}”', { title: tabTitle(named) })
    : t('section “{title}”', { title: sectionTitle(named) });
}

/** Returns the title of each widget, by its key. */
const titlesOf = (
  { widgets }: DraftContent,
  lineOf: EditorResults['lineOf'],
  nameOfReport: (reportId: string) => string,
): ReadonlyMap<string, string> =>
  new Map(
    widgets.map((widget) => [
      widget.key,
      nameOfContent(widget) ?? titleOf({ widget, line: lineOf(widget) }) ?? nameOfReport(widget.reportId),
    ]),
  );

import { Button, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconLayoutGridAdd } from '@tabler/icons-react';
import { useMemo, useState, type Dispatch, type ReactNode } from 'react';
import { isBuiltIn } from '#shared/dashboard-filters/definitions.ts';
import { EmptyState } from '../../../ui/page/EmptyState.tsx';
import { changeWidget, type DraftContent } from '../draft/content.ts';
import { titleOf } from '#charts/widgets/title.ts';
import type { EditAction } from '../../../drafts/undo-history.ts';
import { EditorGrid } from './EditorGrid.tsx';
import { EditorStack } from './EditorStack.tsx';
import { narrowWindow } from '../../view/narrow-window.ts';
import type { EditorResults } from '../use-editor-results.ts';
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
  onAdd,
}: {
  readonly content: DraftContent;
  readonly dispatch: Dispatch<EditAction<DraftContent>>;
  readonly nameOfReport: (reportId: string) => string;
  readonly results: EditorResults;
  readonly organizationId: string | undefined;
  /** The key of the widget that was added last. */
  readonly added: string | undefined;
  readonly onAdd: () => void;
}): ReactNode {
  const [editing, setEditing] = useState<string>();
  const isNarrow = useMediaQuery(narrowWindow, undefined, { getInitialValueInEffect: false });
  const titles = useMemo(
    () => titlesOf(content, results.lineOf, nameOfReport),
    [content, results.lineOf, nameOfReport],
  );
  const { actions, moving, shown, announcement } = useWidgetActions({
    content,
    dispatch,
    titles,
    onEdit: setEditing,
  });
  if (content.widgets.every(({ reportId }) => isBuiltIn(reportId))) {
    return (
      <EmptyState
        icon={IconLayoutGridAdd}
        title="This dashboard is empty"
        action={<Button onClick={onAdd}>Add the first widget</Button>}
      >
        Each widget shows a report. Choose an existing report, or create a new one.
      </EmptyState>
    );
  }
  const Layout = isNarrow ? EditorStack : EditorGrid;
  return (
    <>
      <Layout
        content={shown}
        titles={titles}
        actions={actions}
        results={results}
        moving={moving}
        added={added}
      />
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
      <WidgetDialog
        widget={content.widgets.find(({ key }) => key === editing)}
        organizationId={organizationId}
        nameOfReport={nameOfReport}
        onClose={() => setEditing(undefined)}
        onChange={(change) => {
          if (editing !== undefined) {
            dispatch({ type: 'change', change: (content) => changeWidget(content, editing, change) });
          }
          setEditing(undefined);
        }}
      />
    </>
  );
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
      titleOf({ widget, line: lineOf(widget) }) ?? nameOfReport(widget.reportId),
    ]),
  );

import { Box, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { layoutInWords } from '../conflict/differences.ts';
import type { DraftContent } from '../draft/content.ts';
import { EditorWidget } from '../widget/EditorWidget.tsx';
import { heightOfRowsPx, withVisibleLayouts } from '#shared/grid/visible-layouts.ts';
import type { EditorResults } from '../use-editor-results.ts';
import type { WidgetActions } from '../widget/use-widget-actions.ts';

/** The widgets in one column in reading order, each with buttons that move it up and down. */
export const EditorStack = ({
  content,
  titles,
  actions,
  results,
  added,
}: {
  readonly content: DraftContent;
  readonly titles: ReadonlyMap<string, string>;
  readonly actions: WidgetActions;
  readonly results: EditorResults;
  readonly moving: string | undefined;
  readonly added: string | undefined;
}): ReactNode => (
  <Stack gap="sm">
    {withVisibleLayouts(content.widgets).map(({ key, id, reportId, layout }) => (
      <Box key={key} h={Math.max(heightOfRowsPx(layout.h), 120)}>
        <EditorWidget
          widgetKey={key}
          title={titles.get(key) ?? ''}
          position={layoutInWords(layout)}
          isMoving={false}
          isAdded={key === added}
          isStacked
          actions={actions}
          line={results.lineOf({ ...(id !== undefined && { id }), reportId })}
          isLoading={results.isLoading}
          onRetry={results.retry}
        />
      </Box>
    ))}
  </Stack>
);

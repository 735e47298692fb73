import { Box, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { layoutInWords } from '../conflict/differences.ts';
import { EditorWidget } from '../widget/EditorWidget.tsx';
import { heightOfRowsPx, withVisibleLayouts } from '#shared/grid/visible-layouts.ts';
import type { GridProps } from './grid-props.ts';

/** The widgets in one column in reading order, each with buttons that move it up and down. */
export const EditorStack = ({ widgets, titles, actions, results, added }: GridProps): ReactNode => (
  <Stack gap="sm">
    {withVisibleLayouts(widgets).map(({ key, id, reportId, config, layout }) => (
      <Box key={key} h={Math.max(heightOfRowsPx(layout.h), 120)}>
        <EditorWidget
          widgetKey={key}
          title={titles.get(key) ?? ''}
          position={layoutInWords(layout)}
          isMoving={false}
          isAdded={key === added}
          isStacked
          actions={actions}
          reportId={reportId}
          config={config}
          line={results.lineOf({ ...(id !== undefined && { id }), reportId })}
          isLoading={results.isLoading}
          onRetry={results.retry}
        />
      </Box>
    ))}
  </Stack>
);

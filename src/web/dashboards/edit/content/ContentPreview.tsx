import { Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ReferenceContext } from '#charts/content/reference-values.ts';
import type { Content } from '#shared/content-widgets/content-widgets.ts';
import { ContentBody } from '../../content/ContentBody.tsx';
import { ReferenceFaults } from './ReferenceFaults.tsx';

/** What a content shows, as it is typed. */
export const ContentPreview = ({
  content,
  context,
}: {
  readonly content: Content | undefined;
  readonly context: ReferenceContext;
}): ReactNode => (
  <Stack gap={4}>
    <Text size="sm" fw={500} component="div">
      Preview
    </Text>
    <Paper withBorder p="sm" role="group" aria-label="Preview">
      {content === undefined ? (
        <Text size="sm" c="dimmed">
          Nothing to show yet.
        </Text>
      ) : (
        <ContentBody content={content} level={3} context={context} />
      )}
    </Paper>
    <ReferenceFaults content={content} context={context} />
  </Stack>
);

import { Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ReferenceContext } from '#charts/content/reference-values.ts';
import type { Content } from '#shared/content-widgets/content-widgets.ts';
import { t } from '#shared/language/messages.ts';
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
      {t('Preview')}
    </Text>
    <Paper
      withBorder
      p="sm"
      {...(content?.kind === 'image' && { h: 220 })}
      role="group"
      aria-label={t('Preview')}
    >
      {content === undefined ? (
        <Text size="sm" c="dimmed">
          {t('Nothing to show yet.')}
        </Text>
      ) : (
        <ContentBody content={content} level={3} context={context} />
      )}
    </Paper>
    <ReferenceFaults content={content} context={context} />
  </Stack>
);

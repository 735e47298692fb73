import { Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';

/** What a guide looks like while it loads. */
export function LoadingGuide(): ReactNode {
  return (
    <Stack gap="sm" aria-busy aria-label={t('Loading')}>
      <Skeleton h={92} />
      {Array.from({ length: 7 }, (_, index) => (
        <Skeleton key={index} h={58} />
      ))}
    </Stack>
  );
}

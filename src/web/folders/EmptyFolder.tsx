import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import type { FolderView } from './use-folder-view.ts';

/** Below the folders of a place that has nothing of the kind that is listed. */
export const EmptyFolder = ({
  view: { current },
  children,
}: {
  readonly view: FolderView;
  /** That there is nothing, as a sentence. */
  readonly children: string;
}): ReactNode => (
  <Text c="dimmed" size="sm" py="md">
    {`${children} ${
      current === undefined
        ? t('Open a folder, or show all in one list.')
        : t('Move something here from its menu in another list.')
    }`}
  </Text>
);

import { Group, Text, VisuallyHidden } from '@mantine/core';
import { IconFolder } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';

/** The path of the folder that something in a list is in; nothing if it is empty. */
export const ItemPath = ({ path }: { readonly path: string }): ReactNode =>
  path !== '' && (
    <Group gap={4} wrap="nowrap" c="dimmed">
      <IconFolder size={12} aria-hidden />
      <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
        <VisuallyHidden>{t('Folder:')} </VisuallyHidden>
        {path}
      </Text>
    </Group>
  );

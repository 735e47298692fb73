import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';

/**
 * The ID of a directory group on a line below its name, if it has another: the people who run a directory can give two groups the same
 * name, or names that look the same.
 */
export const GroupId = ({
  id,
  name,
}: {
  readonly id: string | undefined;
  readonly name: string | undefined;
}): ReactNode =>
  id === undefined || id === name ? null : (
    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {t('Group ID: {id}', { id })}
    </Text>
  );

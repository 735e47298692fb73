import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import classes from './marks.module.css';

/** How many marks are selected, and what can be done with them, also without a keyboard. */
export const SelectionBar = ({
  count,
  onOpen,
  onClear,
}: {
  readonly count: number;
  readonly onOpen: (at: { readonly x: number; readonly y: number }) => void;
  readonly onClear: () => void;
}): ReactNode => (
  <Group className={`${classes['selection']} no-print`} gap={4} wrap="nowrap">
    <Text size="xs" role="status" flex={1} truncate>
      {t('{count} selected', { count })}
    </Text>
    <Button
      size="compact-xs"
      variant="light"
      aria-haspopup="menu"
      onClick={({ currentTarget }) => {
        const { left, bottom } = currentTarget.getBoundingClientRect();
        onOpen({ x: left, y: bottom });
      }}
    >
      {t('Actions')}
    </Button>
    <Button size="compact-xs" variant="subtle" onClick={onClear}>
      {t('Clear selection')}
    </Button>
  </Group>
);

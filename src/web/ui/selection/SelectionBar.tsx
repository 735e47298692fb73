import { Button, CloseButton, Group, Paper, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import type { Selection } from './use-selection.ts';
import classes from './SelectionBar.module.css';

/** Below a list while items are selected: how many, and what can be done with them. Screen readers announce the number. */
export function SelectionBar<Item extends { readonly id: string }>({
  selection: { items, shownCount, selectShown, clear },
  children,
}: {
  readonly selection: Selection<Item>;
  /** The buttons. */
  readonly children: ReactNode;
}): ReactNode {
  const count = items.length;
  const text = t('{count, plural, one {# selected} other {# selected}}', { count });
  return (
    <>
      <VisuallyHidden role="status">{count === 0 ? '' : text}</VisuallyHidden>
      {count > 0 && (
        <Paper withBorder className={classes['bar'] ?? ''} role="group" aria-label={t('Selected items')}>
          <Group gap="xs">
            <Text size="sm" fw={600} aria-hidden>
              {text}
            </Text>
            {children}
            {count < shownCount && (
              <Button variant="subtle" size="xs" onClick={selectShown}>
                {t('Select all {count} shown', { count: shownCount })}
              </Button>
            )}
            <CloseButton ml="auto" aria-label={t('Clear the selection')} onClick={clear} />
          </Group>
        </Paper>
      )}
    </>
  );
}

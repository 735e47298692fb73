import { Alert, List } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';

/** The items that something wasn't done for, each with why; nothing if there are none. */
export const FailedItems = ({
  title,
  items,
}: {
  readonly title: string;
  readonly items: readonly { readonly id: string; readonly name: string; readonly message: string }[];
}): ReactNode =>
  items.length > 0 && (
    <Alert color="red" variant="default" role="alert" title={title}>
      <List size="sm">
        {items.map(({ id, name, message }) => (
          <List.Item key={id} style={{ overflowWrap: 'anywhere' }}>
            {t('{name}: {message}', { name, message })}
          </List.Item>
        ))}
      </List>
    </Alert>
  );

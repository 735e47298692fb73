import { Alert, Anchor, List, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { paths } from '../app/paths.ts';

/** Names the reports that use a data source or a table; nothing if there are none. */
export function SourceUses({
  uses: { items, totalCount },
  restored,
}: {
  readonly uses: {
    readonly items: readonly { readonly id: string; readonly name: string }[];
    readonly totalCount: number;
  };
  /** What is moved to the trash. */
  readonly restored: 'data source' | 'table';
}): ReactNode {
  if (totalCount === 0) return null;
  return (
    <Alert
      color="orange"
      variant="default"
      role="alert"
      title={t('Used by {totalCount, plural, one {# report} other {# reports}}', { totalCount })}
    >
      <Stack gap="xs">
        <Text size="sm">
          {restored === 'table'
            ? t(
                '{count, plural, one {It fails until the table is restored.} other {They fail until the table is restored.}}',
                { count: totalCount },
              )
            : t(
                '{count, plural, one {It fails until the data source is restored.} other {They fail until the data source is restored.}}',
                { count: totalCount },
              )}
        </Text>
        <List size="sm">
          {items.map((report) => (
            <List.Item key={report.id}>
              <Anchor
                size="sm"
                renderRoot={(props) => <Link {...props} to={paths.report} params={{ reportId: report.id }} />}
              >
                {report.name}
              </Anchor>
            </List.Item>
          ))}
        </List>
      </Stack>
    </Alert>
  );
}

import { Alert, Anchor, List, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../app/paths.ts';
import { counted } from '../ui/text/nouns.ts';

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
    <Alert color="orange" variant="default" role="alert" title={`Used by ${counted(totalCount, 'report')}`}>
      <Stack gap="xs">
        <Text size="sm">
          {totalCount === 1 ? 'It fails' : 'They fail'} until the {restored} is restored.
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

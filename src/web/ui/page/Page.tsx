import { Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';

/** The width of a page in pixels, where lines as wide as the frame would be hard to read. */
const widths = { sm: 720, md: 960 } as const;

/** The frame of every page: its heading, its actions, and the title of the tab. All pages start at the same edge. */
export function Page({
  title,
  description,
  actions,
  size = 'wide',
  children,
}: {
  readonly title: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  /** `wide`: as wide as the frame. */
  readonly size?: keyof typeof widths | 'wide';
  readonly children: ReactNode;
}): ReactNode {
  useDocumentTitle(`${title} · Atrium`);
  return (
    <Stack gap="lg" {...(size !== 'wide' && { maw: widths[size] })}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <div style={{ flex: '1 1 260px', minWidth: 0 }}>
          <Title order={1} fz="h3" style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {description !== undefined && (
            <Text c="dimmed" size="sm" component="div">
              {description}
            </Text>
          )}
        </div>
        {actions !== undefined && (
          <Group gap="xs" className="no-print page-actions">
            {actions}
          </Group>
        )}
      </Group>
      {children}
    </Stack>
  );
}

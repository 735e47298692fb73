import { Container, Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';

/** The frame of every page: its heading, its actions, and the title of the tab. */
export function Page({
  title,
  description,
  actions,
  size = 'xl',
  children,
}: {
  readonly title: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  readonly size?: 'sm' | 'md' | 'lg' | 'xl' | 'full';
  readonly children: ReactNode;
}): ReactNode {
  useDocumentTitle(`${title} · Atrium`);
  return (
    <Container {...(size === 'full' ? { fluid: true } : { size })} px={0}>
      <Stack gap="lg">
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
    </Container>
  );
}

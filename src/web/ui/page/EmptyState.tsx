import { Center, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { ComponentType, ReactNode } from 'react';

/** Takes the place of empty content: what it is for, and what to do next. */
export function EmptyState({
  icon: Icon,
  title,
  children,
  action,
}: {
  readonly icon: ComponentType<{ size?: number | string }>;
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}): ReactNode {
  return (
    <Center py={64} px="md">
      <Stack align="center" gap="sm" maw={460} ta="center">
        <ThemeIcon variant="light" size={56} radius="xl" aria-hidden>
          <Icon size={28} />
        </ThemeIcon>
        <Title order={2} fz="h4">
          {title}
        </Title>
        {children !== undefined && (
          <Text c="dimmed" component="div" className="prose">
            {children}
          </Text>
        )}
        {action}
      </Stack>
    </Center>
  );
}

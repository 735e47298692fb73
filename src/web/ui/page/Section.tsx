import { Paper, Stack, Text, Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';

/** A part of a page with a heading of its own, in a card. */
export function Section({
  title,
  description,
  children,
}: {
  readonly title: string;
  readonly description?: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
  const id = useId();
  return (
    <Paper component="section" withBorder p="lg" radius="md" aria-labelledby={id}>
      <Stack gap="md">
        <div>
          <Title order={2} fz="h5" id={id}>
            {title}
          </Title>
          {description !== undefined && (
            <Text c="dimmed" size="sm" component="div">
              {description}
            </Text>
          )}
        </div>
        {children}
      </Stack>
    </Paper>
  );
}

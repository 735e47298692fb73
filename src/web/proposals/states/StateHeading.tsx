import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** The name and the description of a report or dashboard, as it is or as it is proposed. */
export const StateHeading = ({
  name,
  description,
}: {
  readonly name: string;
  readonly description: string | undefined;
}): ReactNode => (
  <div>
    <Title order={3} fz="h5" style={{ overflowWrap: 'anywhere' }}>
      {name}
    </Title>
    {description !== undefined && (
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {description}
      </Text>
    )}
  </div>
);

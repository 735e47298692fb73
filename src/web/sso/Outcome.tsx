import { Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import type { ReactNode } from 'react';

const looks = {
  good: { icon: IconCircleCheck, color: 'teal' },
  bad: { icon: IconAlertTriangle, color: 'red' },
  open: { icon: IconCircleDashed, color: 'yellow' },
} as const;

/** A state as text and icon; the color only repeats it. */
export const Outcome = ({
  tone,
  children,
}: {
  readonly tone: keyof typeof looks;
  readonly children: string;
}): ReactNode => {
  const { icon: Icon, color } = looks[tone];
  return (
    <Group component="span" gap={6} wrap="nowrap">
      <Icon size={18} color={`var(--mantine-color-${color}-filled)`} aria-hidden />
      <Text component="span" size="sm" fw={500}>
        {children}
      </Text>
    </Group>
  );
};

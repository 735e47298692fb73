import { Menu, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** An item of a menu. If `reason` is given, the item is disabled and shows it. */
export function MenuAction({
  icon,
  reason,
  color,
  onClick,
  children,
}: {
  readonly icon: ReactNode;
  readonly reason?: string | undefined;
  readonly color?: 'red';
  readonly onClick: () => void;
  readonly children: ReactNode;
}): ReactNode {
  const isOff = reason !== undefined;
  return (
    <Menu.Item
      leftSection={icon}
      {...(color === 'red' && !isOff && { c: 'var(--mantine-color-error)' })}
      {...(isOff && { 'aria-disabled': true, c: 'dimmed', closeMenuOnClick: false })}
      onClick={isOff ? undefined : onClick}
    >
      {children}
      {isOff && (
        <Text size="xs" c="dimmed">
          {reason}
        </Text>
      )}
    </Menu.Item>
  );
}

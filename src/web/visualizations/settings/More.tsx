import { Collapse, Stack, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './More.module.css';

/** Settings that few people change, collapsed by default. */
export function More({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ReactNode;
}): ReactNode {
  const [isOpen, { toggle }] = useDisclosure();
  const Icon = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <div>
      <UnstyledButton className={classes.toggle} onClick={toggle} aria-expanded={isOpen}>
        <Icon size={14} aria-hidden />
        {label}
      </UnstyledButton>
      <Collapse expanded={isOpen}>{isOpen && <Stack gap="xs">{children}</Stack>}</Collapse>
    </div>
  );
}

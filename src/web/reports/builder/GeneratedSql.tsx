import { Button, Code, Collapse, CopyButton, Group, Paper } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import classes from './Builder.module.css';

/** The SQL that the steps generate, collapsed by default. */
export function GeneratedSql({ sql }: { readonly sql: string }): ReactNode {
  const [isOpen, { toggle }] = useDisclosure();
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <section aria-label="SQL">
      <Group justify="space-between" gap="xs">
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<Chevron size={14} aria-hidden />}
          aria-expanded={isOpen}
          onClick={toggle}
        >
          {t('SQL')}
        </Button>
        {isOpen && sql !== '' && (
          <CopyButton value={sql}>
            {({ copied, copy }) => (
              <Button size="compact-sm" variant="default" onClick={copy}>
                {copied ? t('Copied') : t('Copy SQL')}
              </Button>
            )}
          </CopyButton>
        )}
      </Group>
      <Collapse expanded={isOpen}>
        {isOpen && (
          <Paper withBorder p="sm" mt={4}>
            <Code block bg="transparent" className={classes.sql} tabIndex={0}>
              {sql === '' ? t('Complete the steps to see their SQL.') : sql}
            </Code>
          </Paper>
        )}
      </Collapse>
    </section>
  );
}

import { Button, Checkbox, Popover, ScrollArea, Stack, Text } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import type { Column } from '#contract/data-sources/data-sources.ts';
import { t } from '#shared/language/messages.ts';
import { SearchField } from '../ui/forms/SearchField.tsx';

/** The most columns of a list that is rendered at once: search finds the others. */
const maxListed = 200;
/** As many as the server profiles in one request. */
const maxShown = 24;

/** Chooses the columns that have a chart. */
export function ColumnChooser({
  columns,
  shown,
  titleOf,
  onChange,
}: {
  readonly columns: readonly Column[];
  readonly shown: readonly string[];
  readonly titleOf: (column: string) => string;
  readonly onChange: (columns: readonly string[]) => void;
}): ReactNode {
  const [searched, setSearched] = useState('');
  const search = searched.trim().toLowerCase();
  const found = columns.filter(({ name }) => `${name}\n${titleOf(name)}`.toLowerCase().includes(search));
  const isFull = shown.length >= maxShown;
  return (
    <Popover position="bottom-end" width={300} trapFocus withinPortal={false}>
      <Popover.Target>
        <Button size="xs" variant="default" leftSection={<IconColumns3 size={14} aria-hidden />}>
          {t('Columns ({count} of {count2})', { count: shown.length, count2: columns.length })}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          <SearchField label={t('Search columns')} value={searched} onChange={setSearched} />
          <ScrollArea.Autosize mah={300} tabIndex={0}>
            <Stack gap={6} p={2}>
              {found.slice(0, maxListed).map(({ name }) => {
                const isShown = shown.includes(name);
                return (
                  <Checkbox
                    key={name}
                    size="xs"
                    label={titleOf(name)}
                    checked={isShown}
                    disabled={(isFull && !isShown) || (isShown && shown.length === 1)}
                    onChange={() =>
                      onChange(isShown ? shown.filter((one) => one !== name) : [...shown, name])
                    }
                    styles={{ label: { overflowWrap: 'anywhere' } }}
                  />
                );
              })}
            </Stack>
          </ScrollArea.Autosize>
          {found.length === 0 && <Text size="sm">{t('No matching columns.')}</Text>}
          {found.length > maxListed && (
            <Text size="xs" c="dimmed">
              {t('Search to find the other {count} columns.', { count: found.length - maxListed })}
            </Text>
          )}
          {isFull && (
            <Text size="xs" c="dimmed">
              {t('At most {maxShown} columns are shown at once.', { maxShown })}
            </Text>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

import { Group, MultiSelect, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { isNumeric, type ColumnType } from '#shared/columns.ts';
import { t } from '#shared/language/messages.ts';
import type { ColumnReference, FilterValue } from '#shared/query-builder/structure.ts';
import { errorMessage } from '../../../ui/problems/message.ts';
import { useBuilder } from '../context.ts';
import { builtResultQuery, maxListedValues, runnableOf, valuesOf } from '../preview/queries.ts';

/** A choice of values from the data, the most frequent first. What is typed is searched for in all of the data. */
export function ValuePicker({
  column,
  type,
  values,
  onChange,
}: {
  readonly column: ColumnReference;
  readonly type: ColumnType;
  readonly values: readonly FilterValue[];
  readonly onChange: (values: FilterValue[]) => void;
}): ReactNode {
  const builder = useBuilder();
  const [search, setSearch] = useState('');
  const [settled] = useDebouncedValue(search.trim(), 300);
  const first = useValues(builder, column, '');
  const isComplete = first.data !== undefined && first.data.rowCount < maxListedValues;
  // Other types have no text to search for.
  const canSearch = type === 'text' && !isComplete;
  const found = useValues(builder, column, canSearch ? settled : '');
  const rows = found.data?.rows ?? [];
  const byText = new Map<string, FilterValue>(values.map((value) => [String(value), value]));
  const counts = new Map<string, number>();
  for (const [value, count] of rows) {
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    byText.set(String(value), value);
    counts.set(String(value), Number(count));
  }
  const isMissing = search.trim() !== '' && !byText.has(search.trim()) && isNumeric(type);
  const typed = Number(search.trim());
  if (isMissing && Number.isFinite(typed)) byText.set(search.trim(), typed);
  return (
    <MultiSelect
      label={t('Values')}
      size="sm"
      searchable
      selectFirstOptionOnChange
      hidePickedOptions={false}
      data={[...byText.keys()]}
      value={values.map(String)}
      onChange={(texts) => onChange(texts.map((text) => byText.get(text) ?? text))}
      searchValue={search}
      onSearchChange={setSearch}
      limit={maxListedValues}
      maxDropdownHeight={280}
      nothingFoundMessage={found.isFetching ? t('Searching…') : t('No values have this in them.')}
      error={found.isError ? errorMessage(found.error).detail : undefined}
      renderOption={({ option }) => (
        <Group justify="space-between" gap="xs" wrap="nowrap" flex={1}>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {option.label === '' ? t('(empty text)') : option.label}
          </Text>
          {counts.has(option.value) && (
            <Text size="xs" c="dimmed" style={{ flex: 'none' }}>
              {t('{rowCount, plural, one {# row} other {# rows}}', {
                rowCount: counts.get(option.value) ?? 0,
              })}
            </Text>
          )}
        </Group>
      )}
    />
  );
}

const useValues = (builder: ReturnType<typeof useBuilder>, column: ColumnReference, search: string) =>
  useQuery({
    ...builtResultQuery(builder, runnableOf(valuesOf(builder.structure, column, search), builder.dialect)),
    placeholderData: keepPreviousData,
  });

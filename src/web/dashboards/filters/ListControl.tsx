import { MultiSelect, Select } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import type { SearchValue } from '../../ui/browser/search.ts';
import { listOf, type DashboardFilter } from '#shared/dashboard-filters/filter-list.ts';
import { t } from '#shared/language/messages.ts';
import { textOf } from './filters.ts';
import { filterValuesQuery, type ListedValues, type ValuesContext } from './queries.ts';

/** How many options are rendered at most; typing finds the others. */
const maxOptions = 100;

/** Selects one or several of the values of a list, which loads when the field gets the focus. */
export function ListControl({
  id,
  filter,
  value,
  context,
  placeholder,
  onChange,
}: {
  readonly id: string;
  readonly filter: DashboardFilter;
  readonly value: SearchValue;
  readonly context: ValuesContext;
  readonly placeholder: string;
  readonly onChange: (value: SearchValue) => void;
}): ReactNode {
  const [wasFocused, setWasFocused] = useState(false);
  const client = useQueryClient();
  const { data: listed, error } = useQuery({
    ...filterValuesQuery(client, filter, context),
    enabled: wasFocused,
  });
  const chosen = useMemo(() => listOf(value).filter((text) => text !== ''), [value]);
  const data = useMemo(() => optionsOf(chosen, listed), [chosen, listed]);
  const common = {
    id,
    size: 'xs',
    data,
    searchable: true,
    clearable: true,
    selectFirstOptionOnChange: true,
    limit: maxOptions,
    placeholder,
    maxDropdownHeight: 320,
    // At the end of the document, its heading would be in no landmark.
    comboboxProps: { withinPortal: false },
    nothingFoundMessage:
      error !== null ? t("The values couldn't be loaded.") : listed ? t('No matching values') : t('Loading…'),
    onFocus: () => setWasFocused(true),
  } as const;
  return filter.type === 'list' ? (
    <MultiSelect
      {...common}
      {...(chosen.length > 0 && { placeholder: '' })}
      w={220}
      value={[...chosen]}
      onChange={(values) => onChange(values.length === 0 ? undefined : values)}
    />
  ) : (
    <Select
      {...common}
      w={150}
      value={textOf(value) === '' ? null : textOf(value)}
      onChange={(chosen) => onChange(chosen ?? undefined)}
    />
  );
}

/** Returns the options of a list, under a heading if not all values are listed or shown. */
function optionsOf(chosen: readonly string[], listed: ListedValues | undefined) {
  const items = [...new Set([...chosen, ...(listed?.items ?? [])])];
  const heading =
    listed?.cutOffAt !== undefined
      ? t('From the first {cutOffAt, plural, one {# row} other {# rows}}; there are more', {
          cutOffAt: listed.cutOffAt,
        })
      : items.length > maxOptions
        ? t('Type to search {count, plural, one {# value} other {# values}}', { count: items.length })
        : undefined;
  return heading === undefined ? items : [{ group: heading, items }];
}

import { Group, Select, Text, type SelectProps } from '@mantine/core';
import {
  IconAbc,
  IconCalendar,
  IconClock,
  IconHash,
  IconQuestionMark,
  IconToggleLeft,
  type Icon,
} from '@tabler/icons-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { isNumeric, isTemporal, type ColumnType } from '#shared/columns.ts';
import { t } from '#shared/language/messages.ts';
import type { ColumnReference } from '#shared/query-builder/structure.ts';
import { isSameColumn, type AvailableColumn } from './available.ts';

/** Returns the icon of a type of columns. */
export function iconOf(type: ColumnType): Icon {
  if (isNumeric(type)) return IconHash;
  if (isTemporal(type)) return IconCalendar;
  if (type === 'time' || type === 'interval') return IconClock;
  if (type === 'boolean') return IconToggleLeft;
  return type === 'text' || type === 'uuid' ? IconAbc : IconQuestionMark;
}

/** A choice that isn't a column, such as a formula. */
export interface OtherChoice {
  readonly label: string;
  readonly choose: () => void;
}

const keyOf = ({ table, name }: ColumnReference): string => JSON.stringify([table, name]);

/** A searchable list of columns. With `value`, it shows the chosen column; without, it adds what is chosen. */
export function ColumnPicker({
  label,
  columns,
  value,
  onPick,
  others = [],
  isFocused = false,
}: {
  readonly label: string;
  readonly columns: readonly AvailableColumn[];
  readonly value?: ColumnReference | undefined;
  readonly onPick: (column: AvailableColumn) => void;
  readonly others?: readonly OtherChoice[];
  /** Whether it gets the focus and opens, since it was just added. */
  readonly isFocused?: boolean;
}): ReactNode {
  const shown = columns.filter(
    ({ reference, isHidden }) => isHidden !== true || (value !== undefined && isSameColumn(reference, value)),
  );
  const origins = [...new Set(shown.map(({ origin }) => origin))];
  const byKey = new Map(columns.map((column) => [keyOf(column.reference), column]));
  const data = origins.map((origin) => ({
    group: origin,
    items: shown
      .filter((column) => column.origin === origin)
      .map((column) => ({ value: keyOf(column.reference), label: column.label })),
  }));
  const more = others.map((other) => ({ value: other.label, label: other.label }));
  const renderOption: SelectProps['renderOption'] = ({ option }) => {
    const column = byKey.get(option.value);
    const TypeIcon = column === undefined ? undefined : iconOf(column.type);
    return (
      <Group gap={6} wrap="nowrap">
        {TypeIcon && <TypeIcon size={14} aria-hidden style={{ flex: 'none' }} />}
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {option.label}
        </Text>
      </Group>
    );
  };
  return (
    <Picker
      label={label}
      data={[...data, ...(more.length > 0 ? [{ group: t('Other'), items: more }] : [])]}
      value={value === undefined ? null : keyOf(value)}
      isAdding={value === undefined}
      isFocused={isFocused}
      renderOption={renderOption}
      onPick={(chosen) => {
        const column = byKey.get(chosen);
        if (column === undefined) others.find((other) => other.label === chosen)?.choose();
        else if (value === undefined || !isSameColumn(value, column.reference)) onPick(column);
      }}
    />
  );
}

/** A searchable list. With `isAdding`, it is empty again after each choice. */
export function Picker({
  label,
  data,
  value,
  isAdding,
  isFocused = false,
  renderOption,
  onPick,
}: {
  readonly label: string;
  readonly data: NonNullable<SelectProps['data']>;
  readonly value: string | null;
  readonly isAdding: boolean;
  readonly isFocused?: boolean;
  readonly renderOption?: SelectProps['renderOption'];
  readonly onPick: (value: string) => void;
}): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [search, setSearch] = useState('');
  useEffect(() => {
    if (!isFocused) return;
    input.current?.focus();
    setIsOpen(true);
  }, [isFocused]);
  return (
    <Select
      ref={input}
      size="sm"
      searchable
      selectFirstOptionOnChange
      selectFirstOptionOnDropdownOpen={isAdding}
      {...(isAdding
        ? {
            'aria-label': label,
            placeholder: label,
            searchValue: search,
            onSearchChange: setSearch,
          }
        : { label, allowDeselect: false })}
      data={data}
      value={value}
      limit={500}
      maxDropdownHeight={320}
      nothingFoundMessage={t('Nothing has this name.')}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setIsOpen(true)}
      onDropdownClose={() => setIsOpen(false)}
      {...(renderOption && { renderOption })}
      onChange={(chosen) => {
        if (isAdding) setSearch('');
        if (chosen !== null) onPick(chosen);
      }}
    />
  );
}

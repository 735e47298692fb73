import { Select } from '@mantine/core';
import { IconArrowsSort } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { isNumeric, isTemporal, type ColumnType } from '#shared/columns.ts';
import { t } from '#shared/language/messages.ts';
import type { SortedColumn } from '#shared/query-builder/structure.ts';
import { Picker } from '../ColumnPicker.tsx';
import { useBuilder } from '../context.ts';
import { replacedAt, withoutAt } from '../list.ts';
import { StepCard } from '../StepCard.tsx';
import { StepItem } from '../StepItem.tsx';

/** The order of the rows of the result. */
export function SortStep(): ReactNode {
  const { structure, resultColumns, change, open, setOpen } = useBuilder();
  const { sort = [], ...rest } = structure;
  const set = (changed: readonly SortedColumn[]) =>
    change(changed.length === 0 ? rest : { ...rest, sort: changed });
  const typeOf = (name: string) => resultColumns.find((column) => column.name === name)?.type;
  const free = resultColumns.filter(({ name }) => !sort.some((one) => one.name === name));
  return (
    <StepCard step="sort" title={t('Sort')} icon={IconArrowsSort}>
      {sort.map((column, index) => {
        const { name, isDescending = false } = column;
        const [ascending, descending] = orders(typeOf(name));
        return (
          <StepItem
            key={index}
            step="sort"
            item={index}
            pointer={`/sort/${index}`}
            label={`${name}, ${(isDescending ? descending : ascending).toLowerCase()}`}
            remove={() => set(withoutAt(sort, index))}
          >
            <Select
              label={t('Order')}
              size="sm"
              allowDeselect={false}
              data={[
                { value: 'descending', label: descending },
                { value: 'ascending', label: ascending },
              ]}
              value={isDescending ? 'descending' : 'ascending'}
              onChange={(order) =>
                set(replacedAt(sort, index, { name, ...(order === 'descending' && { isDescending: true }) }))
              }
            />
          </StepItem>
        );
      })}
      <Picker
        label={t('Sort by a column')}
        isAdding
        isFocused={open?.step === 'sort' && open.item === undefined}
        value={null}
        data={free.map(({ name }) => name)}
        onPick={(name) => {
          const type = typeOf(name);
          const isDescending = type !== undefined && isNumeric(type);
          set([...sort, { name, ...(isDescending && { isDescending }) }]);
          setOpen({ step: 'sort', item: sort.length, isNew: true });
        }}
      />
    </StepCard>
  );
}

/** Returns the names of both orders of a type: ascending, then descending. */
function orders(type: ColumnType | undefined): readonly [string, string] {
  if (type !== undefined && isNumeric(type)) return [t('Lowest first'), t('Highest first')];
  if (type !== undefined && isTemporal(type)) return [t('Oldest first'), t('Newest first')];
  return [t('A to Z'), t('Z to A')];
}

import { IconFilter } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { isSameColumn } from '../available.ts';
import { ColumnPicker } from '../ColumnPicker.tsx';
import { useBuilder } from '../context.ts';
import { StepCard } from '../StepCard.tsx';
import { StepItem } from '../StepItem.tsx';
import { FilterEditor } from './FilterEditor.tsx';
import { filterInWords } from './filter-in-words.ts';
import { useFilters } from './use-filters.ts';

/** The filters of the rows. */
export function FilterStep(): ReactNode {
  const { columns, open } = useBuilder();
  const { filters, addFilter, addFormula, replace, remove } = useFilters();
  return (
    <StepCard step="filters" title="Filter" icon={IconFilter}>
      {filters.map((filter, index) => (
        <StepItem
          key={index}
          step="filters"
          item={index}
          pointer={`/filters/${index}`}
          label={filterInWords(filter)}
          remove={() => remove(index)}
        >
          <FilterEditor
            filter={filter}
            type={
              'column' in filter
                ? columns.find(({ reference }) => isSameColumn(reference, filter.column))?.type
                : undefined
            }
            change={(changed, field) =>
              replace(index, changed, field === undefined ? undefined : `filter ${index} ${field}`)
            }
          />
        </StepItem>
      ))}
      <ColumnPicker
        label="Add a filter"
        columns={columns}
        onPick={addFilter}
        others={[{ label: 'Formula…', choose: addFormula }]}
        isFocused={open?.step === 'filters' && open.item === undefined}
      />
    </StepCard>
  );
}

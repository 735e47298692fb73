import { IconFilter } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { isSameColumn, type AvailableColumn } from '../available.ts';
import { ColumnPicker } from '../ColumnPicker.tsx';
import { useBuilder } from '../context.ts';
import { StepCard } from '../StepCard.tsx';
import { StepItem } from '../StepItem.tsx';
import { FilterEditor } from './FilterEditor.tsx';
import { filterInWords } from './filter-in-words.ts';
import { useFilters, type FilterStepName } from './use-filters.ts';

/** The filters of the rows. */
export const FilterStep = (): ReactNode => <Filters step="filters" title={t('Filter')} />;

/** The filters of the summarized rows. */
export const ResultFilterStep = (): ReactNode => (
  <Filters step="resultFilters" title={t('Filter the result')} />
);

function Filters({ step, title }: { readonly step: FilterStepName; readonly title: string }): ReactNode {
  const { columns: rowColumns, resultColumns, open } = useBuilder();
  const { filters, addFilter, addFormula, replace, remove } = useFilters(step);
  const columns: readonly AvailableColumn[] =
    step === 'filters'
      ? rowColumns
      : resultColumns.map(({ name, type }) => ({
          reference: { name },
          type,
          label: name,
          origin: t('Result'),
        }));
  return (
    <StepCard step={step} title={title} icon={IconFilter}>
      {filters.map((filter, index) => (
        <StepItem
          key={index}
          step={step}
          item={index}
          pointer={`/${step}/${index}`}
          label={filterInWords(filter)}
          remove={() => remove(index)}
        >
          <FilterEditor
            filter={filter}
            pointer={`/${step}/${index}`}
            hasValues={step === 'filters'}
            type={
              'column' in filter
                ? columns.find(({ reference }) => isSameColumn(reference, filter.column))?.type
                : undefined
            }
            change={(changed, field) =>
              replace(index, changed, field === undefined ? undefined : `${step} ${index} ${field}`)
            }
          />
        </StepItem>
      ))}
      <ColumnPicker
        label={t('Add a filter')}
        columns={columns}
        onPick={addFilter}
        others={[{ label: t('Formula…'), choose: addFormula }]}
        isFocused={open?.step === step && open.item === undefined}
      />
    </StepCard>
  );
}

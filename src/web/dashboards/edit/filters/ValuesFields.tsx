import { Group, NativeSelect, TagsInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FilterDefinition, FilterValues } from '#shared/dashboard-filters/definitions.ts';
import { t } from '#shared/language/messages.ts';
import type { FilteredWidget } from './draft-filters.ts';

/** Where a list gets its values from. */
export function ValuesFields({
  filter,
  widgets,
  onChange,
}: {
  readonly filter: FilterDefinition;
  readonly widgets: readonly FilteredWidget[];
  readonly onChange: (filter: FilterDefinition) => void;
}): ReactNode {
  const { values, ...rest } = filter;
  const set = (next: FilterValues | undefined) =>
    onChange(next === undefined ? rest : { ...rest, values: next });
  const reports = [
    ...new Map(
      widgets.flatMap(({ line }) => (line?.result === undefined ? [] : [[line.reportId, line] as const])),
    ).values(),
  ];
  const kind = values === undefined ? 'parameter' : 'fixed' in values ? 'fixed' : 'column';
  const chosen = values !== undefined && 'reportId' in values ? values : undefined;
  const columnsOf = (reportId: string) =>
    reports.find((line) => line.reportId === reportId)?.result?.columns.map(({ name }) => name) ?? [];
  const first = reports[0];
  return (
    <>
      <NativeSelect
        label={t('Values')}
        data={[
          { value: 'parameter', label: t('The allowed values of its parameter') },
          { value: 'fixed', label: t('A list of values') },
          { value: 'column', label: t('A column of a report'), disabled: first === undefined },
        ]}
        value={kind}
        onChange={({ currentTarget: { value } }) => {
          if (value === 'fixed') set({ fixed: [] });
          else if (value === 'column' && first !== undefined)
            set({ reportId: first.reportId, column: columnsOf(first.reportId)[0] ?? '' });
          else set(undefined);
        }}
      />
      {values !== undefined && 'fixed' in values && (
        <TagsInput
          label={t('List of values')}
          description={t('Press Enter after each value')}
          value={[...values.fixed]}
          onChange={(fixed) => set({ fixed })}
        />
      )}
      {chosen !== undefined && (
        <Group grow>
          <NativeSelect
            label={t('Report')}
            data={[
              ...(reports.some(({ reportId }) => reportId === chosen.reportId)
                ? []
                : [{ value: chosen.reportId, label: t('A report that isn’t on this dashboard') }]),
              ...reports.map(({ reportId, reportName }) => ({
                value: reportId,
                label: reportName ?? reportId,
              })),
            ]}
            value={chosen.reportId}
            onChange={({ currentTarget: { value: reportId } }) =>
              set({ reportId, column: columnsOf(reportId)[0] ?? '' })
            }
          />
          <NativeSelect
            label={t('Column')}
            data={[...new Set([chosen.column, ...columnsOf(chosen.reportId)])]}
            value={chosen.column}
            onChange={({ currentTarget: { value: column } }) => set({ ...chosen, column })}
          />
        </Group>
      )}
    </>
  );
}

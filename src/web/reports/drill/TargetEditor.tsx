import { CloseButton, Fieldset, Group, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { DrillTarget } from '#contract/reports/drill.ts';
import { t } from '#shared/language/messages.ts';
import { call } from '../../app/api.ts';
import type { Result } from './mark-values.ts';
import { targetColumnsText, columnsOfQuery } from './target-columns.ts';

/** A query, a report or a dashboard that a click leads to. */
export function TargetEditor({
  legend,
  organizationId,
  target,
  result,
  onChange,
  remove,
}: {
  readonly legend: string;
  readonly organizationId: string;
  readonly target: DrillTarget;
  readonly result: Result;
  readonly onChange: (target: DrillTarget) => void;
  readonly remove: () => void;
}): ReactNode {
  return (
    <Fieldset legend={legend} p="xs">
      <Stack gap="xs">
        <Group gap="xs" wrap="nowrap" align="flex-end">
          <TextInput
            size="xs"
            flex={1}
            label={t('Label')}
            maxLength={200}
            value={target.label}
            onChange={({ currentTarget }) => onChange({ ...target, label: currentTarget.value })}
          />
          <CloseButton size="sm" aria-label={t('Remove {legend}', { legend })} onClick={remove} />
        </Group>
        {target.kind === 'query' ? (
          <Textarea
            size="xs"
            label={t('Query')}
            description={targetColumnsText(result)}
            autosize
            minRows={3}
            maxRows={12}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            value={target.query}
            onChange={({ currentTarget: { value: query } }) =>
              onChange({ ...target, query, columns: { ...columnsOfQuery(query, result, target.columns) } })
            }
          />
        ) : (
          <>
            <RecordSelect
              kind={target.kind}
              organizationId={organizationId}
              value={target.kind === 'report' ? target.reportId : target.dashboardId}
              onChange={(id) =>
                onChange(
                  target.kind === 'report' ? { ...target, reportId: id } : { ...target, dashboardId: id },
                )
              }
            />
            <Given
              isReport={target.kind === 'report'}
              given={target.kind === 'report' ? target.parameters : target.filters}
              result={result}
              onChange={(given) =>
                onChange(
                  target.kind === 'report' ? { ...target, parameters: given } : { ...target, filters: given },
                )
              }
            />
          </>
        )}
      </Stack>
    </Fieldset>
  );
}

/** Searches the reports or the dashboards of the organization by name. */
function RecordSelect({
  kind,
  organizationId,
  value,
  onChange,
}: {
  readonly kind: 'report' | 'dashboard';
  readonly organizationId: string;
  readonly value: string;
  readonly onChange: (id: string) => void;
}): ReactNode {
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), 200);
  const { data } = useQuery({
    queryKey: [`${kind}s`, 'choices', organizationId, q],
    queryFn: async ({ signal }) => {
      const query = { organizationId, ...(q !== '' && { q }) };
      const page =
        kind === 'report'
          ? await call('GET /api/reports', { query, signal })
          : await call('GET /api/dashboards', { query, signal });
      return page.items.map(({ id, name }) => ({ value: id, label: name }));
    },
  });
  const found = data ?? [];
  // The search may not contain the one that was chosen.
  const isListed = value === '' || found.some((one) => one.value === value);
  return (
    <Select
      size="xs"
      label={kind === 'report' ? t('Report') : t('Dashboard')}
      placeholder={t('Choose')}
      searchable
      filter={({ options }) => options}
      onSearchChange={setText}
      data={
        isListed
          ? found
          : [
              ...found,
              { value, label: kind === 'report' ? t('The chosen report') : t('The chosen dashboard') },
            ]
      }
      value={value === '' ? null : value}
      onChange={(id) => onChange(id ?? '')}
    />
  );
}

/** The name of a parameter or filter for each column whose value it gets. */
function Given({
  isReport,
  given,
  result,
  onChange,
}: {
  /** Whether the values are those of parameters, not of filters. */
  readonly isReport: boolean;
  readonly given: Readonly<Record<string, string>>;
  readonly result: Result;
  readonly onChange: (given: Record<string, string>) => void;
}): ReactNode {
  const names = [...new Set([...Object.values(given), ...result.columns.map(({ name }) => name)])];
  const nameOf = (column: string) => Object.entries(given).find(([, one]) => one === column)?.[0] ?? '';
  return names.map((column) => (
    <TextInput
      key={column}
      size="xs"
      label={
        isReport
          ? t('Parameter that gets “{column}”', { column })
          : t('Filter that gets “{column}”', { column })
      }
      placeholder={t('None')}
      maxLength={63}
      value={nameOf(column)}
      onChange={({ currentTarget: { value } }) => {
        const others = Object.entries(given).filter(([name, one]) => one !== column && name !== value);
        const name = value.replaceAll(/\W/g, '_');
        onChange(Object.fromEntries(name === '' ? others : [...others, [name, column]]));
      }}
    />
  ));
}

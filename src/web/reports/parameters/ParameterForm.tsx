import { Button, Group, Paper, SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ParameterValue, ReportParameter } from '#contract/reports/reports.ts';
import { t } from '#shared/language/messages.ts';
import { findPlaceholders } from '#shared/sql/placeholders.ts';
import { faultAt } from '../../ui/problems/field-faults.ts';
import { ParameterField } from './ParameterField.tsx';
import type { Search } from '../../ui/browser/search.ts';
import { searchValueOf, valueOf, type ParameterValues } from './search.ts';
import { allowedValuesQuery } from '../queries.ts';

/** The values of a report's parameters. Those without a value have their default. */
export function ParameterForm({
  reportId,
  parameters,
  values,
  change,
  reset,
  error,
}: {
  readonly reportId: string;
  readonly parameters: readonly ReportParameter[];
  readonly values: ParameterValues;
  readonly change: (name: string, value: ParameterValue) => void;
  readonly reset: () => void;
  /** The error of the last run. */
  readonly error: unknown;
}): ReactNode {
  return (
    <Paper withBorder p="md" component="section" aria-label={t('Parameters')}>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3, lg: 4 }} spacing="sm">
        {parameters.map((parameter) => (
          <StoredField
            key={parameter.name}
            reportId={reportId}
            others={limitsOf(parameter, parameters, values)}
            parameter={parameter}
            value={valueOf(parameter, values)}
            onChange={(value) => change(parameter.name, value)}
            error={faultAt(error, `/parameters/${parameter.name}`)}
          />
        ))}
      </SimpleGrid>
      {Object.keys(values).length > 0 && (
        <Group mt="sm">
          <Button size="xs" variant="subtle" onClick={reset}>
            {t('Reset to defaults')}
          </Button>
        </Group>
      )}
    </Paper>
  );
}

/** A field with the allowed values, which may come from a query. */
function StoredField({
  reportId,
  others,
  ...props
}: {
  readonly reportId: string;
  /** The values of the parameters that limit the allowed values. */
  readonly others: Search;
  readonly parameter: ReportParameter;
  readonly value: ParameterValue;
  readonly onChange: (value: ParameterValue) => void;
  readonly error: string | undefined;
}): ReactNode {
  const { allowed, name } = props.parameter;
  const listed = useQuery({
    ...allowedValuesQuery(reportId, name, others),
    enabled: allowed?.query !== undefined,
  });
  return <ParameterField {...props} allowed={allowed?.values ?? listed.data?.items} />;
}

/** Returns the values of the parameters that the query of a parameter's allowed values refers to. */
function limitsOf(
  { allowed }: ReportParameter,
  parameters: readonly ReportParameter[],
  values: ParameterValues,
): Search {
  const names = new Set(findPlaceholders(allowed?.query ?? '').placeholders.map(({ name }) => name));
  const limits = parameters.filter(({ name }) => names.has(name));
  return Object.fromEntries(limits.map((limit) => [limit.name, searchValueOf(valueOf(limit, values))]));
}

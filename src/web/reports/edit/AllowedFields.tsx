import { Select, TagsInput, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ReportParameter } from '#contract/reports/reports.ts';
import { t } from '#shared/language/messages.ts';
import { withOptional } from '../../visualizations/settings/without.ts';

const allowedKinds = [
  { value: 'any', label: t('Any value') },
  { value: 'values', label: t('Values in a list') },
  { value: 'query', label: t('Values from a query') },
];

/** Which values a parameter may have. */
export function AllowedFields({
  parameter,
  onChange,
  faultOf,
}: {
  readonly parameter: ReportParameter;
  readonly onChange: (parameter: ReportParameter) => void;
  readonly faultOf: (pointer: string) => string | undefined;
}): ReactNode {
  const { allowed } = parameter;
  const kind = allowed === undefined ? 'any' : allowed.query === undefined ? 'values' : 'query';
  return (
    <>
      <Select
        label={t('Allowed values')}
        size="xs"
        allowDeselect={false}
        data={allowedKinds}
        value={kind}
        error={faultOf('/allowed')}
        onChange={(chosen) =>
          onChange(
            withOptional(
              parameter,
              'allowed',
              chosen === 'values' ? { values: [] } : chosen === 'query' ? { query: '' } : undefined,
            ),
          )
        }
      />
      {kind === 'values' && (
        <TagsInput
          label={t('Values')}
          description={t('Press Enter after each value')}
          size="xs"
          maxTags={1000}
          value={[...(allowed?.values ?? [])]}
          onChange={(values) => onChange({ ...parameter, allowed: { values } })}
        />
      )}
      {kind === 'query' && (
        <Textarea
          label={t('Query for the values')}
          description={t(
            'The first column is used, up to 10,000 rows. It can refer to other parameters, such as {{country}}.',
          )}
          size="xs"
          autosize
          minRows={2}
          maxRows={8}
          maxLength={100_000}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          error={faultOf('/allowed/query')}
          value={allowed?.query ?? ''}
          onChange={(event) => onChange({ ...parameter, allowed: { query: event.currentTarget.value } })}
        />
      )}
    </>
  );
}

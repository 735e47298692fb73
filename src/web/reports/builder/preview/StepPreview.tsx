import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { Failure } from '../../../ui/problems/Failure.tsx';
import { Waiting } from '../../../ui/page/Waiting.tsx';
import { RowTable } from '../../../ui/tables/RowTable.tsx';
import { useBuilder } from '../context.ts';
import { limited, structureUpTo, type Step } from '../up-to.ts';
import { ColumnMenu } from './ColumnMenu.tsx';
import { builtResultQuery, runnableOf } from './queries.ts';

const maxRows = 100;

/** The first rows of the query up to a step. */
export function StepPreview({ step, title }: { readonly step: Step; readonly title: string }): ReactNode {
  const builder = useBuilder();
  const upTo = structureUpTo(builder.structure, step);
  const query = runnableOf(limited(upTo, maxRows), builder.dialect);
  const [settled] = useDebouncedValue(query, 300);
  const rows = useQuery({ ...builtResultQuery(builder, settled), placeholderData: keepPreviousData });
  if (query === undefined && rows.data === undefined) {
    return (
      <Text size="xs" c="dimmed">
        {t('Complete this step and the ones before it to see its rows.')}
      </Text>
    );
  }
  if (rows.isError) return <Failure error={rows.error} retry={() => void rows.refetch()} />;
  if (rows.data === undefined) return <Waiting height={180} />;
  const { columns, rowCount } = rows.data;
  return (
    <div aria-busy={rows.isFetching}>
      <Text size="xs" c="dimmed" mb={4} role="status">
        {rowCount === maxRows
          ? t('The first {rowCount, plural, one {# row} other {# rows}}', { rowCount })
          : t('{rowCount, plural, one {# row} other {# rows}}', { rowCount })}
      </Text>
      <RowTable
        label={t('Rows after {title}', { title })}
        columns={columns}
        rows={rows.data.rows}
        height={260}
        menuOf={({ name }, index) => <ColumnMenu step={step} name={name} index={index} />}
      />
    </div>
  );
}

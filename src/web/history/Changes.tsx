import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ContentChange } from '#contract/records/history.ts';
import { t } from '#shared/language/messages.ts';
import { Failure } from '../ui/problems/Failure.tsx';
import { Waiting } from '../ui/page/Waiting.tsx';
import { ChangeList } from './ChangeList.tsx';
import { changesQuery, type RecordRef } from './queries.ts';

/** What changed from one version to another. */
export function Changes({
  record,
  from,
  to,
  summaryOf,
}: {
  readonly record: RecordRef;
  readonly from: number;
  readonly to: number;
  readonly summaryOf: (change: ContentChange) => string;
}): ReactNode {
  const { data, error, refetch } = useQuery(changesQuery(record, from, to));
  if (error !== null) return <Failure error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Waiting height={120} />;
  return (
    <div aria-live="polite">
      <Title order={3} fz="md" mb="xs">
        {t('From version {from} to version {to}', { from, to })}
      </Title>
      {data.items.length === 0 ? (
        <Text size="sm">{t('These two versions are the same.')}</Text>
      ) : (
        <ChangeList changes={data.items} summaryOf={summaryOf} />
      )}
    </div>
  );
}

import { Paper, Stack } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { EmptyState } from '../ui/page/EmptyState.tsx';
import { MoreButton } from '../ui/actions/MoreButton.tsx';
import { Failure } from '../ui/problems/Failure.tsx';
import type { Deleted, RecordKind } from '../ui/server-data/trash.ts';
import { Waiting } from '../ui/page/Waiting.tsx';
import { PurgeDialog } from './PurgeDialog.tsx';
import { trashQuery } from './queries.ts';
import { TrashRow } from './TrashRow.tsx';

/** The deleted records of a kind, the last deleted first. */
export function TrashList({
  kind,
  organizationId,
  emptyTitle,
}: {
  readonly kind: RecordKind;
  /** Undefined for private records. */
  readonly organizationId?: string;
  readonly emptyTitle: string;
}): ReactNode {
  const trash = useInfiniteQuery(trashQuery(kind, organizationId));
  const [purging, setPurging] = useState<Deleted>();
  if (trash.error !== null && trash.data === undefined) {
    return <Failure error={trash.error} retry={() => void trash.refetch()} />;
  }
  if (trash.data === undefined) return <Waiting height={240} />;
  const items = trash.data.pages.flatMap((page) => page.items);
  return (
    <Stack>
      {items.length === 0 && !trash.hasNextPage && (
        <EmptyState icon={IconTrash} title={emptyTitle}>
          {t('You can restore what was deleted here for 30 days.')}
        </EmptyState>
      )}
      {items.length > 0 && (
        <Paper withBorder component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {items.map((item) => (
            <TrashRow key={item.id} kind={kind} item={item} onPurge={() => setPurging(item)} />
          ))}
        </Paper>
      )}
      <MoreButton
        list={trash}
        total={(count) =>
          kind === 'dashboard'
            ? t('{count, plural, one {# deleted dashboard} other {# deleted dashboards}}', { count })
            : t('{count, plural, one {# deleted report} other {# deleted reports}}', { count })
        }
      >
        {t('Show older')}
      </MoreButton>
      <PurgeDialog kind={kind} item={purging} onClose={() => setPurging(undefined)} />
    </Stack>
  );
}

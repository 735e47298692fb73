import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DataSource } from '#contract/data-sources/data-sources.ts';
import { t } from '#shared/language/messages.ts';
import { ApiProblem, call } from '../app/api.ts';
import { paths } from '../app/paths.ts';
import { ConfirmDialog } from '../ui/actions/ConfirmDialog.tsx';
import { notifyDone } from '../ui/notifications/notify.ts';
import { sourceKinds } from './kinds/registry.ts';
import { sourceUsesQuery } from './source-uses.ts';
import { SourceUses } from './SourceUses.tsx';

/** Moves a source to the trash, after naming the reports that use it. */
export function DeleteSourceDialog({
  source: { id, name, kind, organizationId },
  close,
}: {
  readonly source: DataSource;
  readonly close: () => void;
}): ReactNode {
  const client = useQueryClient();
  const navigate = useNavigate();
  const uses = useQuery(sourceUsesQuery(id));
  const isUsed = uses.data !== undefined && uses.data.totalCount > 0;
  const remove = useMutation({
    mutationFn: () =>
      call('DELETE /api/data-sources/{dataSourceId}', {
        params: { dataSourceId: id },
        ...(isUsed && { query: { force: 'true' } }),
      }),
    // Somebody has added a report in the meantime: name it before forcing.
    onError: (error) => void (isInUse(error) && uses.refetch()),
    onSuccess: async () => {
      notifyDone(t('Moved “{name}” to the trash. You can restore it for 30 days.', { name }));
      await navigate({ to: paths.dataSources, params: { orgId: organizationId } });
      client.removeQueries({ queryKey: ['data-sources', id] });
      await Promise.all([
        client.invalidateQueries({ queryKey: ['data-sources', 'of', organizationId] }),
        client.invalidateQueries({ queryKey: ['trash'] }),
      ]);
    },
  });
  return (
    <ConfirmDialog
      title={t('Move the data source to the trash?')}
      sentences={[
        t('You can restore “{name}” for 30 days. {deletionNote}', {
          name,
          deletionNote: sourceKinds[kind].deletionNote,
        }),
      ]}
      action={t('Move to trash')}
      opened
      onClose={close}
      onConfirm={() => remove.mutate()}
      isPending={remove.isPending || uses.isPending}
      error={(isInUse(remove.error) ? undefined : remove.error) ?? uses.error}
    >
      {uses.data !== undefined && <SourceUses uses={uses.data} restored="data source" />}
    </ConfirmDialog>
  );
}

const isInUse = (error: unknown): boolean =>
  error instanceof ApiProblem && error.code === 'data_source_in_use';

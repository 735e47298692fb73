import { Alert, Anchor, List, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Report } from '#contract/reports/reports.ts';
import { t } from '#shared/language/messages.ts';
import { ApiProblem, call } from '../../app/api.ts';
import { paths } from '../../app/paths.ts';
import { ConfirmDialog } from '../../ui/actions/ConfirmDialog.tsx';
import { notifyTrashed, refreshRecords } from '../../ui/server-data/trash.ts';
import { Waiting } from '../../ui/page/Waiting.tsx';
import { reportUsesQuery } from '../queries.ts';

/** Asks for confirmation before a report is deleted, and lists the dashboards that use it. */
export function DeleteReportDialog({
  report: { id, name, organizationId },
  close,
}: {
  readonly report: Report;
  readonly close: () => void;
}): ReactNode {
  const client = useQueryClient();
  const navigate = useNavigate();
  const uses = useQuery({ ...reportUsesQuery(id), staleTime: 0 });
  const count = uses.data?.totalCount ?? 0;
  const remove = useMutation({
    mutationFn: () =>
      call('DELETE /api/reports/{reportId}', {
        params: { reportId: id },
        ...(count > 0 && { query: { force: 'true' } }),
      }),
    // Somebody has added it to a dashboard in the meantime: list that one before forcing.
    onError: (error) => void (isInUse(error) && uses.refetch()),
    onSuccess: async () => {
      await navigate({ to: paths.reports, params: { orgId: organizationId } });
      client.removeQueries({ queryKey: ['reports', id] });
      notifyTrashed(client, 'report', { id, name });
      await refreshRecords(client);
    },
  });
  return (
    <ConfirmDialog
      title={t('Delete the report?')}
      sentences={[t('This moves “{name}” to the trash. You can restore it for 30 days.', { name })]}
      action={count > 0 ? t('Delete anyway') : t('Delete')}
      opened
      onClose={close}
      onConfirm={() => remove.mutate()}
      isPending={remove.isPending}
      isLoading={uses.isPending}
      error={isInUse(remove.error) ? undefined : remove.error}
    >
      {uses.isPending && <Waiting height={48} />}
      {count > 0 && (
        <Alert color="orange" variant="default" title={t('Dashboards use this report')}>
          <Text size="sm">
            {t(
              '{count, plural, one {One dashboard will show that this report was deleted.} other {# dashboards will show that this report was deleted.}}',
              { count },
            )}
          </Text>
          <List size="sm">
            {uses.data?.items.map((dashboard) => (
              <List.Item key={dashboard.id}>
                <Anchor
                  size="sm"
                  renderRoot={(props) => (
                    <Link {...props} to={paths.dashboard} params={{ dashboardId: dashboard.id }} />
                  )}
                >
                  {dashboard.name}
                </Anchor>
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </ConfirmDialog>
  );
}

const isInUse = (error: unknown): boolean => error instanceof ApiProblem && error.code === 'report_in_use';

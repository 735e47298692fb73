import { Alert, Anchor, List, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Report } from '#contract/reports/reports.ts';
import { ApiProblem, call } from '../../app/api.ts';
import { paths } from '../../app/paths.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { notifyDeleted } from '../../ui/notify-undo.tsx';
import { Waiting } from '../../ui/Waiting.tsx';
import { reportUsesQuery } from '../report-queries.ts';

/** Into the bin: said with the dashboards that lose it, and taken back by one click. */
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
  const count = uses.data?.dashboardCount ?? 0;
  const readAnew = () =>
    Promise.all(['reports', 'bin'].map((key) => client.invalidateQueries({ queryKey: [key] })));
  const remove = useMutation({
    mutationFn: () =>
      call('DELETE /api/reports/{reportId}', {
        params: { reportId: id },
        ...(count > 0 && { query: { force: 'true' } }),
      }),
    // Somebody has put it onto a dashboard meanwhile: which one is told before it is forced.
    onError: (error) => void (isInUse(error) && uses.refetch()),
    onSuccess: async () => {
      await navigate({ to: paths.reports, params: { orgId: organizationId } });
      client.removeQueries({ queryKey: ['reports', id] });
      notifyDeleted(id, `“${name}” is in the bin, for 30 days.`, async () => {
        await call('POST /api/bin/reports/{reportId}/restore', { params: { reportId: id } });
        await readAnew();
      });
      await readAnew();
    },
  });
  return (
    <ConfirmDialog
      title="Delete the report?"
      sentences={[`“${name}” goes into the bin, from which it can be restored for 30 days.`]}
      action={count > 0 ? 'Delete anyway' : 'Delete'}
      opened
      onClose={close}
      onConfirm={() => remove.mutate()}
      isPending={remove.isPending}
      isWaiting={uses.isPending}
      error={isInUse(remove.error) ? undefined : remove.error}
    >
      {uses.isPending && <Waiting height={48} />}
      {count > 0 && (
        <Alert color="orange" variant="default" title="Dashboards show it">
          <Text size="sm">
            {count === 1 ? 'A dashboard then tells' : `${count} dashboards then tell`} that this report was
            deleted, in its place.
          </Text>
          <List size="sm">
            {uses.data?.dashboards.map((dashboard) => (
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

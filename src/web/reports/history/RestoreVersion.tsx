import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Report } from '#contract/reports/reports.ts';
import { call } from '../../app/api.ts';
import { notifyDone, notifyError } from '../../ui/notify.ts';

/** Makes the newest version one that is as an old one was; nothing between them is lost. */
export function RestoreVersion({
  report,
  etag,
  version,
}: {
  readonly report: Report;
  readonly etag: string;
  readonly version: number;
}): ReactNode {
  const client = useQueryClient();
  const restore = useMutation({
    mutationFn: () =>
      call('POST /api/reports/{reportId}/versions/{version}/restore', {
        params: { reportId: report.id, version: String(version) },
        headers: { 'if-match': etag },
      }),
    onSuccess: () => notifyDone(`The report is as in version ${version}.`),
    onError: notifyError,
    onSettled: () => client.invalidateQueries({ queryKey: ['reports'] }),
  });
  return (
    <Button size="xs" variant="default" loading={restore.isPending} onClick={() => restore.mutate()}>
      Restore version {version}
    </Button>
  );
}

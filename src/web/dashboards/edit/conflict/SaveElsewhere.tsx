import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { call } from '../../../app/api.ts';
import { paths } from '../../../app/paths.ts';
import { notifyDone, notifyError } from '../../../ui/notifications/notify.ts';
import { editOf } from '../draft/content.ts';
import type { DashboardDraft } from '../draft/kind.ts';

/** Saves a draft as a new dashboard when it can't be saved to its own, so that nothing is lost. */
export function SaveElsewhere({
  draft,
  organizationId,
}: {
  readonly draft: DashboardDraft;
  readonly organizationId: string | undefined;
}): ReactNode {
  const client = useQueryClient();
  const navigate = useNavigate();
  const save = useMutation({
    mutationFn: () => {
      const { name, description, widgets } = editOf(draft.present);
      return call('POST /api/dashboards', {
        body: {
          name: t('{name} (my edit)', { name }),
          ...(description !== undefined && { description }),
          ...(organizationId !== undefined && { organizationId }),
          widgets: widgets.map(({ id: _, ...widget }) => widget),
        },
      });
    },
    onSuccess: async ({ id }) => {
      void client.invalidateQueries({ queryKey: ['dashboards'] });
      notifyDone(t('Saved your draft as a new dashboard.'));
      await navigate({ to: paths.dashboard, params: { dashboardId: id } });
    },
    onError: notifyError,
  });
  return (
    <Button size="xs" variant="default" loading={save.isPending} onClick={() => save.mutate()}>
      {t('Save as a new dashboard')}
    </Button>
  );
}

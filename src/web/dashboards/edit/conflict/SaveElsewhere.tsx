import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { may } from '#shared/permissions.ts';
import { call } from '../../../app/api.ts';
import { paths } from '../../../app/paths.ts';
import { notifyDone, notifyError } from '../../../ui/notifications/notify.ts';
import { useOrganization } from '../../../ui/server-data/session.ts';
import { editOf } from '../draft/content.ts';
import type { DashboardDraft } from '../draft/kind.ts';

/**
 * Saves a draft as a new dashboard when it can't be saved to its own, so that nothing is lost: in the personal folder, which is restricted,
 * since the other dashboard may be restricted, too; or as a private dashboard for viewers.
 */
export function SaveElsewhere({
  draft,
  organizationId,
}: {
  readonly draft: DashboardDraft;
  readonly organizationId: string | undefined;
}): ReactNode {
  const client = useQueryClient();
  const role = useOrganization(organizationId)?.role;
  const navigate = useNavigate();
  const save = useMutation({
    mutationFn: async () => {
      const { name, description, widgets } = editOf(draft.present);
      const body = {
        name: t('{name} (my edit)', { name }),
        ...(description !== undefined && { description }),
        widgets: widgets.map(({ id: _, ...widget }) => widget),
      };
      if (organizationId === undefined || !may(role, 'dashboard.create'))
        return call('POST /api/dashboards', { body });
      const { id: folderId } = await call('PUT /api/organizations/{orgId}/personal-folder', {
        params: { orgId: organizationId },
      });
      return call('POST /api/folders/{folderId}/dashboards', { params: { folderId }, body });
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

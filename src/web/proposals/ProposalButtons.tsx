import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Proposal } from '#contract/proposals.ts';
import { t } from '#shared/language/messages.ts';
import { call } from '../app/api.ts';
import { paths } from '../app/paths.ts';
import { ActionButton } from '../ui/actions/ActionButton.tsx';
import { ConfirmDialog } from '../ui/actions/ConfirmDialog.tsx';
import { notifyDone, notifyError, notifyNotDone } from '../ui/notifications/notify.ts';
import { sessionQuery } from '../ui/server-data/session.ts';
import { hasDraft, storeAsDraft } from './edit-first.ts';

/** Accepts, edits or declines an open proposal. */
export function ProposalButtons({
  proposal,
  folderId,
  reasonAgainstAccepting,
}: {
  readonly proposal: Proposal;
  /** The folder in which accepting creates it; undefined for none. */
  readonly folderId: string | undefined;
  readonly reasonAgainstAccepting: string | undefined;
}): ReactNode {
  const { id, organizationId: orgId, kind, recordId, name, baseVersion } = proposal;
  const client = useQueryClient();
  const navigate = useNavigate();
  const { user } = useSuspenseQuery(sessionQuery).data;
  const [asksToReplace, setAsksToReplace] = useState(false);
  const decide = useMutation({
    mutationFn: (decision: 'accept' | 'decline') =>
      call(`POST /api/organizations/{orgId}/proposals/{proposalId}/${decision}`, {
        params: { orgId, proposalId: id },
        ...(decision === 'accept' && folderId !== undefined && { query: { folderId } }),
      }),
    onSuccess: async (_, decision) => {
      void client.invalidateQueries({ queryKey: ['proposals', orgId] });
      if (decision === 'decline') {
        notifyDone(t('Declined “{name}”.', { name }));
        await navigate({ to: paths.proposals, params: { orgId }, search: {} });
        return;
      }
      await client.invalidateQueries({ queryKey: [`${kind}s`] });
      notifyDone(t('Accepted “{name}”.', { name }));
      await (kind === 'report'
        ? navigate({ to: paths.report, params: { reportId: recordId }, search: {} })
        : navigate({ to: paths.dashboard, params: { dashboardId: recordId }, search: {} }));
    },
    onError: (error) => {
      notifyError(error);
      return client.invalidateQueries({ queryKey: ['proposals', orgId] });
    },
  });
  const edit = useMutation({
    mutationFn: () => storeAsDraft(proposal, user.id),
    onSuccess: async (isStored) => {
      if (!isStored) {
        notifyNotDone(t('This browser has no space for the draft'), t('Delete other unsaved drafts first.'));
        return;
      }
      notifyDone(t('Opened as a draft. The proposal stays open until it is accepted or declined.'));
      if (kind === 'dashboard')
        await navigate({ to: paths.dashboardEdit, params: { dashboardId: recordId }, search: {} });
      else if (baseVersion !== undefined)
        await navigate({ to: paths.reportEdit, params: { reportId: recordId } });
      else {
        const source = proposal.report?.dataSourceId ?? '';
        const folder = folderId === undefined ? {} : { folder: folderId };
        await navigate({ to: paths.newReport, params: { orgId }, search: { source, ...folder } });
      }
    },
    onError: notifyError,
  });
  const isNewDashboard = kind === 'dashboard' && baseVersion === undefined;
  return (
    <>
      <ActionButton
        variant="default"
        loading={decide.isPending && decide.variables === 'decline'}
        onClick={() => decide.mutate('decline')}
      >
        {t('Decline')}
      </ActionButton>
      <ActionButton
        variant="default"
        loading={edit.isPending}
        reason={isNewDashboard ? t('Accept the new dashboard first, then edit it.') : undefined}
        onClick={() => (hasDraft(proposal, user.id) ? setAsksToReplace(true) : edit.mutate())}
      >
        {t('Edit first')}
      </ActionButton>
      <ActionButton
        loading={decide.isPending && decide.variables === 'accept'}
        reason={reasonAgainstAccepting}
        onClick={() => decide.mutate('accept')}
      >
        {t('Accept')}
      </ActionButton>
      <ConfirmDialog
        title={t('Replace your unsaved draft?')}
        sentences={[t('This browser has unsaved changes to it. Opening the proposal deletes them.')]}
        action={t('Replace')}
        cancelLabel={t('Keep draft')}
        opened={asksToReplace}
        onClose={() => setAsksToReplace(false)}
        onConfirm={() => {
          setAsksToReplace(false);
          edit.mutate();
        }}
      />
    </>
  );
}

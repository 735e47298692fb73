import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { paths } from '../../app/paths.ts';
import { ConfirmDialog } from '../../ui/actions/ConfirmDialog.tsx';
import { sessionQuery } from '../../ui/server-data/session.ts';
import { findFolderOfCopy } from '../../ui/folders/copies.ts';
import { loadChunk } from '../../ui/connection/chunks.ts';
import { notifyError } from '../../ui/notifications/notify.ts';
import type { NewReport } from './draft.ts';

/** The code that generates queries, which a dashboard doesn't need until then. */
const loadDrafts = () => loadChunk('new-report', () => import('./draft.ts'));

/** Returns what opens a query as a new report in the builder, and the dialog that asks before it replaces an unsaved one. */
export function useNewReport(): {
  readonly openNewReport: (report: NewReport) => void;
  readonly replaceDialog: ReactNode;
} {
  const navigate = useNavigate();
  const { user } = useSuspenseQuery(sessionQuery).data;
  const [asked, setAsked] = useState<NewReport>();
  const open = async (opened: NewReport) => {
    const { storeNewReport } = await loadDrafts();
    const { id, organizationId, dataSourceId } = opened.report;
    const folder = id === undefined ? undefined : await findFolderOfCopy({ id, organizationId });
    storeNewReport(opened, user.id);
    await navigate({
      to: paths.newReport,
      params: { orgId: organizationId },
      search: { source: dataSourceId, ...(folder !== undefined && { folder }) },
    });
  };
  const ask = async (report: NewReport) => {
    const { hasNewReport } = await loadDrafts();
    if (hasNewReport(report, user.id)) setAsked(report);
    else await open(report);
  };
  return {
    openNewReport: (report) => void ask(report).catch(notifyError),
    // Mounted when it opens, so that it lies above the dialog that it was opened from.
    replaceDialog: asked && (
      <ConfirmDialog
        title={t('Replace your unsaved new report?')}
        sentences={[t("You have a new report that isn't saved yet. Opening this one deletes it.")]}
        action={t('Replace')}
        cancelLabel={t('Keep draft')}
        opened
        onClose={() => setAsked(undefined)}
        onConfirm={() => void open(asked).catch(notifyError)}
      />
    ),
  };
}

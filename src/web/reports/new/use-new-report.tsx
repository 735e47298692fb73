import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { paths } from '../../app/paths.ts';
import { ConfirmDialog } from '../../ui/actions/ConfirmDialog.tsx';
import { sessionQuery } from '../../ui/server-data/session.ts';
import { hasNewReport, storeNewReport, type NewReport } from './draft.ts';

/** Returns what opens a query as a new report in the builder, and the dialog that asks before it replaces an unsaved one. */
export function useNewReport(): {
  readonly openNewReport: (report: NewReport) => void;
  readonly replaceDialog: ReactNode;
} {
  const navigate = useNavigate();
  const { user } = useSuspenseQuery(sessionQuery).data;
  const [asked, setAsked] = useState<NewReport>();
  const open = (opened: NewReport) => {
    storeNewReport(opened, user.id);
    const { organizationId, dataSourceId } = opened.report;
    void navigate({
      to: paths.newReport,
      params: { orgId: organizationId },
      search: { source: dataSourceId },
    });
  };
  return {
    openNewReport: (report) => (hasNewReport(report, user.id) ? setAsked(report) : open(report)),
    // Mounted when it opens, so that it lies above the dialog that it was opened from.
    replaceDialog: asked && (
      <ConfirmDialog
        title="Replace your unsaved new report?"
        sentences={["You have a new report that isn't saved yet. Opening this one deletes it."]}
        action="Replace"
        cancelLabel="Keep draft"
        opened
        onClose={() => setAsked(undefined)}
        onConfirm={() => open(asked)}
      />
    ),
  };
}

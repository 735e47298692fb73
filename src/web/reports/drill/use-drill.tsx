import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Report } from '#contract/reports/reports.ts';
import type { DialectName } from '#shared/query-builder/dialects/dialects.ts';
import type { QueryStructure } from '#shared/query-builder/structure.ts';
import { paths } from '../../app/paths.ts';
import { ActionButton } from '../../ui/actions/ActionButton.tsx';
import { sessionQuery } from '../../ui/server-data/session.ts';
import { BreakOutDialog, type BreakOut } from './BreakOutDialog.tsx';
import { storeNewReport } from './new-report.ts';
import { RowsDialog, type DrillRequest } from './RowsDialog.tsx';

interface OpenRows {
  readonly request: DrillRequest;
  /** Opens the rows as a new report, if that makes sense. */
  readonly onOpenNew?: () => void;
  readonly againstNew?: string | undefined;
}

interface NewReport {
  readonly report: Pick<Report, 'organizationId' | 'dataSourceId'>;
  readonly structure: QueryStructure;
  readonly dialect: DialectName;
}

/** What the items of the menu of marks open. */
export interface Drill {
  openRows(rows: OpenRows): void;
  openBreakOut(request: BreakOut): void;
  openNewReport(report: NewReport): void;
}

/** Returns what the menu of marks opens, and its dialogs, which stay when the menu closes. */
export function useDrill(): { readonly drill: Drill; readonly dialogs: ReactNode } {
  const navigate = useNavigate();
  const { user } = useSuspenseQuery(sessionQuery).data;
  const [rows, openRows] = useState<OpenRows>();
  const [brokenOut, openBreakOut] = useState<BreakOut>();
  const openNewReport = ({ report, structure, dialect }: NewReport) => {
    storeNewReport(report, user.id, structure, dialect);
    const search = { source: report.dataSourceId };
    void navigate({ to: paths.newReport, params: { orgId: report.organizationId }, search });
  };
  return {
    drill: { openRows, openBreakOut, openNewReport },
    dialogs: (
      <>
        {rows !== undefined && (
          <RowsDialog request={rows.request} onClose={() => openRows(undefined)}>
            {rows.onOpenNew !== undefined && (
              <ActionButton size="xs" variant="default" reason={rows.againstNew} onClick={rows.onOpenNew}>
                Open as a new report
              </ActionButton>
            )}
          </RowsDialog>
        )}
        {brokenOut !== undefined && (
          <BreakOutDialog
            request={brokenOut}
            onChoose={(structure) => openNewReport({ ...brokenOut, structure })}
            onClose={() => openBreakOut(undefined)}
          />
        )}
      </>
    ),
  };
}

import { lazy, Suspense, useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { ActionButton } from '../../ui/actions/ActionButton.tsx';
import { loadChunk } from '../../ui/connection/chunks.ts';
import type { NewReport } from '../new/draft.ts';
import { useNewReport } from '../new/use-new-report.tsx';
import type { BreakOut } from './BreakOutDialog.tsx';
import { RowsDialog, ShownRowsDialog, type DrillRequest, type ShownRows } from './RowsDialog.tsx';

const BreakOutDialog = lazy(async () => ({
  default: (await loadChunk('BreakOutDialog', () => import('./BreakOutDialog.tsx'))).BreakOutDialog,
}));

interface OpenRows {
  readonly request: DrillRequest;
  /** Opens the rows as a new report, if that makes sense. */
  readonly onOpenNew?: () => void;
  readonly againstNew?: string | undefined;
}

/** What the items of the menu of marks open. */
export interface Drill {
  openRows(rows: OpenRows): void;
  openShownRows(rows: ShownRows): void;
  openBreakOut(request: BreakOut): void;
  openNewReport(report: NewReport): void;
}

/** Returns what the menu of marks opens, and its dialogs, which stay when the menu closes. */
export function useDrill(): { readonly drill: Drill; readonly dialogs: ReactNode } {
  const { openNewReport, replaceDialog } = useNewReport();
  const [rows, openRows] = useState<OpenRows>();
  const [shown, openShownRows] = useState<ShownRows>();
  const [brokenOut, openBreakOut] = useState<BreakOut>();
  return {
    drill: { openRows, openShownRows, openBreakOut, openNewReport },
    dialogs: (
      <>
        {rows !== undefined && (
          <RowsDialog request={rows.request} onClose={() => openRows(undefined)}>
            {rows.onOpenNew !== undefined && (
              <ActionButton size="xs" variant="default" reason={rows.againstNew} onClick={rows.onOpenNew}>
                {t('Open as a new report')}
              </ActionButton>
            )}
          </RowsDialog>
        )}
        {shown !== undefined && <ShownRowsDialog shown={shown} onClose={() => openShownRows(undefined)} />}
        {brokenOut !== undefined && (
          <Suspense>
            <BreakOutDialog
              request={brokenOut}
              onChoose={(structure) => openNewReport({ ...brokenOut, structure })}
              onClose={() => openBreakOut(undefined)}
            />
          </Suspense>
        )}
        {replaceDialog}
      </>
    ),
  };
}

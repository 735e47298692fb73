import type { ReportEdit, Report } from '#contract/reports/reports.ts';
import type { MergeConflict } from '#contract/history.ts';
import type { Actor } from '../base/actor.ts';
import { timestamp, type Clock } from '../base/clock.ts';
import { editContent, type ExpectedVersion } from '../records/edit.ts';
import type { Database, Transaction } from '../storage/database.ts';
import { requireReportToChange } from './access.ts';
import { reportHistory, toContent, type ReportContent } from './content.ts';
import { updateReportRow, type StoredReport } from './store.ts';
import { requireSound, type Renamed } from './reports.ts';

export type ReportEditOutcome =
  | { readonly kind: 'stored'; readonly report: StoredReport; readonly isMerged: boolean }
  | {
      readonly kind: 'conflict';
      readonly report: StoredReport;
      readonly merged: ReportContent;
      readonly conflicts: MergeConflict[];
    };

/** Replaces what people edit of a report, merged with what others saved since. Editor or higher. Throws `unknown_version`. */
export function replaceReport(
  { database, clock, renamed }: { database: Database; clock: Clock; renamed: Renamed },
  actor: Actor,
  input: { id: Report['id']; expected: ExpectedVersion; edit: ReportEdit },
): Promise<ReportEditOutcome> {
  const { id, expected, edit } = input;
  return database.write(async (transaction) => {
    const report = await requireReportToChange(transaction, actor, id);
    const edited = await editContent(transaction, reportHistory, report, {
      userId: actor.userId,
      expected,
      body: edit,
      draft: () => toContent(edit),
    });
    if (edited.kind === 'unchanged') return { kind: 'stored', report, isMerged: edited.isMerged };
    if (edited.kind === 'conflict') {
      return { kind: 'conflict', report, merged: edited.merged, conflicts: edited.conflicts };
    }
    const { content, isMerged, saveHash } = edited;
    await requireSound(transaction, report.organizationId, content);
    const stored = await storeReportVersion(transaction, report, {
      content,
      updatedBy: actor.userId,
      updatedAt: timestamp(clock()),
      change: isMerged ? 'merged' : 'saved',
      restoredFrom: undefined,
      saveHash,
    });
    if (content.name !== report.content.name) await renamed(transaction, report);
    return { kind: 'stored', report: stored, isMerged };
  });
}

/** Puts a new version into force, and keeps the one before. */
export async function storeReportVersion(
  transaction: Transaction,
  before: StoredReport,
  made: Pick<StoredReport, 'content' | 'updatedBy' | 'updatedAt' | 'change' | 'restoredFrom' | 'saveHash'>,
): Promise<StoredReport> {
  const stored = { ...before, ...made, version: before.version + 1 };
  await reportHistory.keep(transaction, before, made.content);
  await updateReportRow(transaction, stored);
  return stored;
}

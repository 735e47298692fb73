import type { ContentChange, RecordVersion } from '#contract/history.ts';
import type { Actor } from '../base/actor.ts';
import { timestamp, type Clock } from '../base/clock.ts';
import { notFound } from '../base/errors.ts';
import type { Page, PageRequest } from '../base/paging.ts';
import { requireExpected, type ExpectedVersion } from '../records/edit.ts';
import type { Database, Reader } from '../storage/database.ts';
import { requireReport, requireReportToChange } from './access.ts';
import { describeReportChanges } from './changes.ts';
import { reportHistory, type ReportContent } from './content.ts';
import { storeReportVersion } from './editing.ts';
import type { StoredReport } from './store.ts';
import { requireSound, type Renamed } from './reports.ts';

/** Lists the versions of a report from the one in force on, newest first. Editor or higher. */
export async function listReportVersions(
  reader: Reader,
  actor: Actor,
  id: string,
  page: PageRequest,
): Promise<Page<RecordVersion>> {
  return reportHistory.list(reader, await requireReport(reader, actor, id, 'report.edit'), page);
}

/** Returns a version of a report. Editor or higher. Throws `not_found`. */
export async function getReportVersion(
  reader: Reader,
  actor: Actor,
  id: string,
  version: number,
): Promise<RecordVersion & ReportContent> {
  const current = await requireReport(reader, actor, id, 'report.edit');
  const head = await reportHistory.findHead(reader, current, version);
  if (head === undefined) throw notFound();
  return { ...head, ...(await requireContent(reader, current, version)) };
}

/** Makes a new version with the content of an old one. Throws `unknown_version`, and `invalid_body` where that no longer fits. */
export function restoreReportVersion(
  { database, clock, renamed }: { database: Database; clock: Clock; renamed: Renamed },
  actor: Actor,
  input: { id: string; version: number; expected: ExpectedVersion },
): Promise<StoredReport> {
  const { id, version, expected } = input;
  return database.write(async (transaction) => {
    const report = await requireReportToChange(transaction, actor, id);
    requireExpected(expected, report.version);
    const content = await requireContent(transaction, report, version);
    if (version === report.version) return report;
    await requireSound(transaction, report.organizationId, content);
    if (content.name !== report.content.name) await renamed(transaction, report);
    return storeReportVersion(transaction, report, {
      content,
      updatedBy: actor.userId,
      updatedAt: timestamp(clock()),
      change: 'restored',
      restoredFrom: version,
      saveHash: undefined,
    });
  });
}

/** Lists what changed from one version of a report to another; `to` left out is the one in force. */
export async function compareReportVersions(
  reader: Reader,
  actor: Actor,
  id: string,
  versions: { from: number; to: number | undefined },
): Promise<ContentChange[]> {
  const current = await requireReport(reader, actor, id, 'report.edit');
  const from = await requireContent(reader, current, versions.from);
  const to = await requireContent(reader, current, versions.to ?? current.version);
  return describeReportChanges(from, to);
}

async function requireContent(
  reader: Reader,
  current: StoredReport,
  version: number,
): Promise<ReportContent> {
  const content = await reportHistory.findContent(reader, current, version);
  if (content === undefined) throw notFound();
  return content;
}

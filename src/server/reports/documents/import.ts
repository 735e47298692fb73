import type { ImportAction } from '#contract/dashboards/documents.ts';
import type { Fault } from '#contract/problem.ts';
import type { ReportDocument } from '#contract/reports/documents.ts';
import { newId } from '../../base/ids.ts';
import { holdDataSourcesNamed, type DataSourceName } from '../../data-sources/names.ts';
import type { Transaction } from '../../storage/database.ts';
import { describeReportChanges } from '../changes.ts';
import { findContentFaults, reportHistory, type ReportContent } from '../content.ts';
import { lockMatchingReport, setReportOrigin, type MatchedReport } from './store.ts';
import { contentOfReportDocument } from './documents.ts';
import { storeReportVersion } from '../editing.ts';
import { insertReport, markReportDeleted } from '../store.ts';
import type { Renamed } from '../reports.ts';

/** What a document makes of a report there is, or of none. */
export interface ReportStep {
  readonly kind: 'report';
  readonly document: ReportDocument;
  /** Of the report there is, or of the one to create. */
  readonly id: string;
  readonly matched: MatchedReport | undefined;
  readonly content: ReportContent;
  readonly action: ImportAction;
  readonly changes: readonly string[] | undefined;
}

/**
 * Returns what each document makes, without storing anything, and all that is wrong with them, with pointers into the
 * list; the reports that there are of them are locked. Every editor may change every report.
 */
export async function planReports(
  transaction: Transaction,
  organizationId: string,
  documents: readonly { readonly document: ReportDocument; readonly pointer: string }[],
): Promise<{ steps: ReportStep[]; faults: Fault[] }> {
  const matches = new Map<string, MatchedReport | undefined>();
  // In the order of the ids, so that whoever else locks many waits rather than blocks.
  for (const documentId of documents.map(({ document }) => document.id).toSorted()) {
    matches.set(documentId, await lockMatchingReport(transaction, { organizationId, documentId }));
  }
  const findSource = sourceFinder(transaction, organizationId);
  const [steps, faults]: [ReportStep[], Fault[]] = [[], []];
  for (const { document, pointer } of documents) {
    const sources = await findSource(document.dataSource);
    const content = contentOfReportDocument(document, sources[0] ?? '');
    const found = [...sourceFaults(document.dataSource, sources.length), ...findContentFaults(content)];
    faults.push(...found.map((fault) => ({ ...fault, pointer: `${pointer}${fault.pointer}` })));
    steps.push(planStep(document, content, matches.get(document.id)));
    await transaction.giveWay();
  }
  return { steps, faults };
}

/** Many reports are over few sources: each is looked for once. */
function sourceFinder(
  transaction: Transaction,
  organizationId: string,
): (source: DataSourceName) => Promise<readonly string[]> {
  const known = new Map<string, readonly string[]>();
  return async (source) => {
    const key = `${source.kind} ${source.name}`;
    const ids = known.get(key) ?? (await holdDataSourcesNamed(transaction, organizationId, source));
    known.set(key, ids);
    return ids;
  };
}

function sourceFaults({ name, kind }: DataSourceName, count: number): Fault[] {
  if (count === 1) return [];
  const [code, message] =
    count === 0
      ? ['unknown', `must be there: first create a data source of the kind ${kind} with the name “${name}”`]
      : ['ambiguous', `must be one: there are two of the kind ${kind} with the name “${name}”`];
  return [{ pointer: '/dataSource', code, message }];
}

function planStep(
  document: ReportDocument,
  content: ReportContent,
  matched: MatchedReport | undefined,
): ReportStep {
  const step = { kind: 'report', document, content, matched } as const;
  // Never the document's id: another organization may have it, and nobody may learn of that.
  if (matched === undefined) return { ...step, id: newId(), action: 'create', changes: undefined };
  const isSame = reportHistory.isSame(matched.content, content);
  const action = matched.isDeleted ? 'restore' : isSame ? 'unchanged' : 'update';
  const changes = isSame
    ? undefined
    : describeReportChanges(matched.content, content).map(({ words }) => words);
  return { ...step, id: matched.id, action, changes };
}

/** Stores what a document makes. */
export async function takeReportStep(
  transaction: Transaction,
  { document, id, matched, content, action, changes }: ReportStep,
  made: { organizationId: string; userId: string; at: string; renamed: Renamed },
): Promise<void> {
  const { organizationId, userId, at, renamed } = made;
  const version = {
    updatedAt: at,
    updatedBy: userId,
    change: 'imported',
    restoredFrom: undefined,
    saveHash: undefined,
    content,
  } as const;
  if (matched === undefined) {
    await insertReport(transaction, { ...version, id, organizationId, userId, version: 1, createdAt: at });
    await setReportOrigin(transaction, { id, originId: document.id });
    return;
  }
  if (action === 'restore') await markReportDeleted(transaction, id, undefined);
  if (changes !== undefined) await storeReportVersion(transaction, matched, version);
  if (action === 'restore' || content.name !== matched.content.name)
    await renamed(transaction, { organizationId, id });
}

import type { ReportDocument } from '#contract/records/documents.ts';
import type { Fault } from '#contract/problem.ts';
import { holdDataSourcesNamed, type DataSourceName } from '../../data-sources/names.ts';
import {
  findDuplicates,
  lockMatches,
  planStep,
  type ImportStep,
  type Matched,
  type PlacedDocument,
} from '../../records/import.ts';
import type { Transaction } from '../../storage/database.ts';
import { withoutStaleStructure } from '../built-query.ts';
import { describeReportChanges } from '../changes.ts';
import { findContentFaults, type ReportContent } from '../content.ts';
import type { ReportKind } from '../kind.ts';
import type { StoredReport } from '../store.ts';
import { contentOfReportDocument } from './documents.ts';

/** What an import does for the document of a report. */
export interface ReportStep extends ImportStep<ReportContent, StoredReport, ReportDocument> {
  readonly kind: 'report';
}

/**
 * Returns what an import does for each document without storing anything, and every fault of the documents, with pointers.
 * Locks the reports that they refer to, and returns them; the caller checks who may change them.
 */
export async function planReports(
  transaction: Transaction,
  kind: ReportKind,
  input: {
    readonly organizationId: string;
    readonly userId: string;
    readonly documents: readonly PlacedDocument<ReportDocument>[];
  },
): Promise<{
  steps: ReportStep[];
  faults: Fault[];
  matches: ReadonlyMap<string, Matched<ReportContent, StoredReport>>;
}> {
  const matches = await lockMatches(transaction, kind, input);
  const findSource = rememberSources(transaction, input);
  const steps: ReportStep[] = [];
  const faults = findDuplicates(input.documents, matches);
  for (const { document, pointer } of input.documents) {
    const sources = await findSource(document.dataSource);
    const content = await withoutStaleStructure(
      contentOfReportDocument(document, sources[0] ?? ''),
      document.dataSource.kind,
    );
    const found = [...sourceFaults(document.dataSource, sources.length), ...findContentFaults(content)];
    faults.push(...found.map((fault) => ({ ...fault, pointer: `${pointer}${fault.pointer}` })));
    const step = planStep(kind, document, matches.get(document.id), content, (before, after) =>
      describeReportChanges(before, after).map(({ summary }) => summary),
    );
    steps.push({ kind: 'report', ...step });
    await transaction.giveWay();
  }
  return { steps, faults, matches };
}

/** Returns a function that finds data sources that a member may query, each only once, since many reports query the same few. */
function rememberSources(
  transaction: Transaction,
  scope: { readonly organizationId: string; readonly userId: string },
): (source: DataSourceName) => Promise<readonly string[]> {
  const known = new Map<string, readonly string[]>();
  return async (source) => {
    const key = `${source.kind} ${source.name}`;
    const ids = known.get(key) ?? (await holdDataSourcesNamed(transaction, scope, source));
    known.set(key, ids);
    return ids;
  };
}

function sourceFaults({ name, kind }: DataSourceName, count: number): Fault[] {
  if (count === 1) return [];
  const [code, message] =
    count === 0
      ? [
          'unknown',
          `doesn’t exist, or you may not query it: first create a data source of the kind ${kind} with the name “${name}”`,
        ]
      : ['ambiguous', `is ambiguous: there are two of the kind ${kind} with the name “${name}”`];
  return [{ pointer: '/dataSource', code, message }];
}

import type { AtriumDocument, DashboardDocument, ImportAction } from '#contract/dashboards/documents.ts';
import type { Role } from '#contract/organizations/organizations.ts';
import type { Fault } from '#contract/problem.ts';
import { reportFormat, type ReportDocument } from '#contract/reports/documents.ts';
import { mayOn } from '#shared/permissions.ts';
import { AtriumError, invalidFaults } from '../../base/errors.ts';
import { findReportIds, withReportIds, type ReportIds } from '../../reports/documents/documents.ts';
import { planReports, type ReportStep } from '../../reports/documents/import.ts';
import type { Transaction } from '../../storage/database.ts';
import { standingOf } from '../access/access.ts';
import { describeChanges } from '../content/changes.ts';
import { isSameContent, type DashboardContent } from '../content/content.ts';
import { lockMatchingDashboard, type MatchedDashboard } from './store.ts';
import { contentOfDocument, type DocumentContent } from './documents.ts';
import { contentOf } from '../history/versions.ts';

/** Who imports, and the role by which what may be changed is decided. */
export interface ImportingUser {
  readonly userId: string;
  readonly role: Role;
}

/**
 * Returns what each document makes, without storing anything; the dashboards and reports that there are of them are
 * locked. Throws `invalid_body` with all that is wrong with them, such as two documents of one id, and `forbidden` with
 * each whose dashboard may not be changed.
 */
export async function planImport(
  transaction: Transaction,
  organizationId: string,
  documents: readonly AtriumDocument[],
  user: ImportingUser,
): Promise<(DashboardStep | ReportStep)[]> {
  const ofReports: Placed<ReportDocument>[] = [];
  const ofDashboards: Placed<DashboardDocument>[] = [];
  for (const [index, document] of documents.entries()) {
    const pointer = `/documents/${index}`;
    if (document.format === reportFormat) ofReports.push({ document, pointer });
    else ofDashboards.push({ document, pointer });
  }
  const { steps, faults } = await planReports(transaction, organizationId, ofReports);
  const { matches, refused } = await lockMatches(transaction, organizationId, ofDashboards, user);
  const twins = [
    ...findTwins(ofReports, (_, index) => steps[index]?.matched?.id),
    ...findTwins(ofDashboards, ({ id }) => matches.get(id)?.summary.id),
  ];
  if (twins.length + faults.length > 0) throw invalidFaults([...twins, ...faults].slice(0, maxFaults));
  if (refused.size > 0) throw notYours(ofDashboards, refused);
  const created = steps.map(({ document, id }) => ({ documentId: document.id, id }));
  const reportIds = withReportIds(await findReportIds(transaction, organizationId), created);
  const planned = new Map<AtriumDocument, DashboardStep | ReportStep>();
  for (const step of steps) planned.set(step.document, step);
  for (const { document } of ofDashboards) {
    planned.set(document, planStep(document, matches.get(document.id), reportIds));
    await transaction.giveWay();
  }
  return documents.flatMap((document) => planned.get(document) ?? []);
}

interface Placed<Document> {
  readonly document: Document;
  readonly pointer: string;
}

/** Finds the documents about the same as one before, be it by the id that this has here or by that of where it came from. */
function findTwins<Document extends { readonly id: string }>(
  places: readonly Placed<Document>[],
  idHere: (document: Document, index: number) => string | undefined,
): Fault[] {
  const seen = new Set<string>();
  return places.flatMap(({ document, pointer }, index): Fault[] => {
    const id = idHere(document, index) ?? document.id;
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    return [{ pointer: `${pointer}/id`, code: 'unique', message: 'must not be the id of a document before' }];
  });
}

const maxFaults = 100;

/** In the order of the ids, so that whoever else locks many waits rather than blocks. */
async function lockMatches(
  transaction: Transaction,
  organizationId: string,
  documents: readonly Placed<DashboardDocument>[],
  { userId, role }: ImportingUser,
): Promise<{ matches: Map<string, MatchedDashboard>; refused: Set<string> }> {
  const matches = new Map<string, MatchedDashboard>();
  const refused = new Set<string>();
  for (const documentId of documents.map(({ document }) => document.id).toSorted()) {
    const matched = await lockMatchingDashboard(transaction, { organizationId, documentId, userId });
    if (matched === undefined) continue;
    matches.set(documentId, matched);
    if (!mayOn(standingOf({ ...matched, role }, userId), 'dashboard.edit')) refused.add(documentId);
  }
  return { matches, refused };
}

/** One and the same for a dashboard that the actor only sees and for one that the actor does not see. */
function notYours(
  documents: readonly Placed<DashboardDocument>[],
  refused: ReadonlySet<string>,
): AtriumError {
  const faults = documents
    .filter(({ document }) => refused.has(document.id))
    .map(({ pointer }): Fault => {
      return { pointer, code: 'forbidden', message: 'is about a dashboard that you may not change' };
    });
  return new AtriumError('forbidden', 'Nothing is imported: some of these dashboards you may not change.', {
    faults: faults.slice(0, maxFaults),
  });
}

/** What a document makes of a dashboard there is, or of none. */
export interface DashboardStep extends DocumentContent {
  readonly kind: 'dashboard';
  readonly document: DashboardDocument;
  readonly matched: MatchedDashboard | undefined;
  readonly action: ImportAction;
  readonly changes: readonly string[] | undefined;
}

function planStep(
  document: DashboardDocument,
  matched: MatchedDashboard | undefined,
  reportIds: ReportIds,
): DashboardStep {
  const before = matched && contentOf(matched);
  const made = contentOfDocument(document, before?.widgets ?? [], reportIds);
  const step = { kind: 'dashboard', ...made, document, matched } as const;
  if (before === undefined) return { ...step, action: 'create', changes: undefined };
  const isSame = isSameContent(before, made.content);
  const action = matched?.isDeleted === true ? 'restore' : isSame ? 'unchanged' : 'update';
  return { ...step, action, changes: isSame ? undefined : wordsOfChanges(before, made.content, reportIds) };
}

/** Reports are told by their ids in documents: one that is created has no other yet in a dry run. */
function wordsOfChanges(
  before: DashboardContent,
  after: DashboardContent,
  { toDocumentId }: ReportIds,
): string[] {
  const inDocuments = ({ widgets, ...head }: DashboardContent): DashboardContent => ({
    ...head,
    widgets: widgets.map((widget) => ({ ...widget, reportId: toDocumentId(widget.reportId) })),
  });
  const words = describeChanges(inDocuments(before), inDocuments(after)).map((change) => change.words);
  const reports = new Map(before.widgets.map(({ id, reportId }) => [id, reportId]));
  // Such as of a dashboard that was imported before its reports.
  const found = after.widgets.filter(({ id, reportId }) => {
    const former = reports.get(id);
    return former !== undefined && former !== reportId && toDocumentId(former) === toDocumentId(reportId);
  });
  return shortList([
    ...words,
    ...found.map(({ reportId }) => `Widget of report “${toDocumentId(reportId)}” finds its report.`),
  ]);
}

const maxChanges = 50;

const shortList = (texts: readonly string[]): string[] =>
  texts.length <= maxChanges
    ? [...texts]
    : [...texts.slice(0, maxChanges), `And ${texts.length - maxChanges} more changes.`];

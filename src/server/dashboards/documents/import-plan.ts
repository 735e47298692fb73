import { configWithReportIds } from '#shared/dashboard-filters/definitions.ts';
import {
  reportFormat,
  type AtriumDocument,
  type DashboardDocument,
  type MissingImage,
  type ReportDocument,
} from '#contract/records/documents.ts';
import { imagesIn } from '#shared/content-widgets/images-in.ts';
import type { Role } from '#contract/organizations/organizations.ts';
import { mayOn } from '#shared/permissions.ts';
import { AtriumError, invalidFaults } from '../../base/errors.ts';
import { listImageIds } from '../../images/images.ts';
import { standingOf } from '../../records/access.ts';
import type { StoredRecord } from '../../records/record.ts';
import {
  findDuplicates,
  isRestricting,
  lockMatches,
  planStep,
  type ImportStep,
  type Matched,
  type PlacedDocument,
} from '../../records/import.ts';
import { findReportIds, withReportIds, type ReportIds } from '../../reports/documents/documents.ts';
import { planReports, type ReportStep } from '../../reports/documents/import.ts';
import type { ReportKind } from '../../reports/kind.ts';
import type { Transaction } from '../../storage/database.ts';
import { describeChanges } from '../content/changes.ts';
import type { DashboardContent } from '../content/content.ts';
import { dashboardKind } from '../kind.ts';
import type { StoredDashboard } from '../store.ts';
import { contentOfDocument } from './documents.ts';

/** The user who imports, and the role that decides which dashboards may be changed. */
export interface ImportingUser {
  readonly userId: string;
  readonly role: Role;
}

/** What an import does for the document of a dashboard. */
export interface DashboardStep extends ImportStep<DashboardContent, StoredDashboard, DashboardDocument> {
  readonly kind: 'dashboard';
  /** How many of its widgets get a new ID, which neither the document nor the dashboard has. */
  readonly newWidgetIds: number;
  /** The images that it shows and the organization doesn't have, as far as the user may see. */
  readonly missingImages: readonly MissingImage[];
}

/**
 * Returns what an import does for each document without storing anything, and locks the dashboards and reports that the
 * documents refer to. Throws `invalid_body` with every fault, such as two documents with the same ID, and `forbidden` with each
 * document whose dashboard the user may not change.
 */
export async function planImport(
  transaction: Transaction,
  reports: ReportKind,
  { organizationId, documents }: { organizationId: string; documents: readonly AtriumDocument[] },
  { userId, role }: ImportingUser,
): Promise<(DashboardStep | ReportStep)[]> {
  const ofReports: PlacedDocument<ReportDocument>[] = [];
  const ofDashboards: PlacedDocument<DashboardDocument>[] = [];
  for (const [index, document] of documents.entries()) {
    const pointer = `/documents/${index}`;
    if (document.format === reportFormat) ofReports.push({ document, pointer });
    else ofDashboards.push({ document, pointer });
  }
  const scope = { organizationId, userId };
  const { steps, faults, ...reported } = await planReports(transaction, reports, {
    ...scope,
    documents: ofReports,
  });
  const matches = await lockMatches(transaction, dashboardKind, { ...scope, documents: ofDashboards });
  faults.push(...findDuplicates(ofDashboards, matches));
  if (faults.length > 0) throw invalidFaults(faults);
  requireNoneRefused([
    ...findRefused(ofReports, reported.matches, 'report', { userId, role }),
    ...findRefused(ofDashboards, matches, 'dashboard', { userId, role }),
  ]);
  const created = steps.map(({ document, id }) => ({ documentId: document.id, id }));
  const reportIds = withReportIds(await findReportIds(transaction, organizationId), created);
  const imageIds = await listImageIds(transaction, scope);
  const planned = new Map<AtriumDocument, DashboardStep | ReportStep>();
  for (const step of steps) planned.set(step.document, step);
  for (const { document } of ofDashboards) {
    planned.set(document, planDashboard(document, matches.get(document.id), { reportIds, imageIds }));
    await transaction.giveWay();
  }
  return documents.flatMap((document) => planned.get(document) ?? []);
}

/** Returns the pointers to the documents whose record the user may not edit or, where a document restricts it, not share. */
function findRefused<Content extends object, Stored extends StoredRecord>(
  documents: readonly PlacedDocument<AtriumDocument>[],
  matches: ReadonlyMap<string, Matched<Content, Stored>>,
  kind: 'dashboard' | 'report',
  { userId, role }: ImportingUser,
): string[] {
  return documents.flatMap(({ document, pointer }) => {
    const matched = matches.get(document.id);
    const isRefused =
      matched !== undefined &&
      !mayOn(
        standingOf({ ...matched.record, role }, userId),
        isRestricting(document, matched) ? `${kind}.manage` : `${kind}.edit`,
      );
    return isRefused ? [pointer] : [];
  });
}

/** Throws the same `forbidden` for what the user may only view and for what the user can't see. */
function requireNoneRefused(pointers: readonly string[]): void {
  if (pointers.length === 0) return;
  throw new AtriumError(
    'forbidden',
    'Nothing was imported, because you don’t have permission to edit some of these dashboards and reports.',
    {
      faults: pointers.map((pointer) => ({
        pointer,
        code: 'forbidden',
        message: 'refers to something that you may not edit',
      })),
    },
  );
}

function planDashboard(
  document: DashboardDocument,
  matched: Matched<DashboardContent, StoredDashboard> | undefined,
  { reportIds, imageIds }: { readonly reportIds: ReportIds; readonly imageIds: ReadonlySet<string> },
): DashboardStep {
  const stored = matched?.record.content.widgets ?? [];
  const { content, newWidgetIds } = contentOfDocument(document, stored, reportIds);
  const step = planStep(dashboardKind, document, matched, content, (before, after) =>
    describeDocumentChanges(before, after, reportIds),
  );
  return { kind: 'dashboard', ...step, newWidgetIds, missingImages: findMissing(content, imageIds) };
}

/** Returns the images of a dashboard that aren't known, each once, with the first description that it has. */
function findMissing({ widgets }: DashboardContent, knownIds: ReadonlySet<string>): MissingImage[] {
  const missing = new Map<string, MissingImage>();
  for (const { id, description } of widgets.flatMap(imagesIn)) {
    if (knownIds.has(id) || missing.get(id)?.description !== undefined) continue;
    missing.set(id, { id, ...(description !== '' && { description }) });
  }
  return [...missing.values()];
}

/** Describes changes with the reports' IDs in documents: in a dry run, a report that would be created has no other ID. */
function describeDocumentChanges(
  before: DashboardContent,
  after: DashboardContent,
  { toDocumentId }: ReportIds,
): string[] {
  const inDocuments = ({ widgets, ...head }: DashboardContent): DashboardContent => ({
    ...head,
    widgets: widgets.map((widget) => ({
      ...widget,
      reportId: toDocumentId(widget.reportId),
      config: configWithReportIds(widget, toDocumentId),
    })),
  });
  const summaries = describeChanges(inDocuments(before), inDocuments(after)).map(({ summary }) => summary);
  const reports = new Map(before.widgets.map(({ id, reportId }) => [id, reportId]));
  // For example, the dashboard was imported before its reports.
  const found = after.widgets.filter(({ id, reportId }) => {
    const former = reports.get(id);
    return former !== undefined && former !== reportId && toDocumentId(former) === toDocumentId(reportId);
  });
  return shortList([
    ...summaries,
    ...found.map(({ reportId }) => `Widget of report “${toDocumentId(reportId)}” finds its report.`),
  ]);
}

const maxChanges = 50;

const shortList = (texts: readonly string[]): string[] =>
  texts.length <= maxChanges
    ? [...texts]
    : [...texts.slice(0, maxChanges), `And ${texts.length - maxChanges} more changes.`];

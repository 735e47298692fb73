import type { AtriumDocument, ImportAction, ImportedDocument } from '#contract/dashboards/documents.ts';
import { recordAudit, type AuditRecord } from '../../audit/audit.ts';
import type { Actor } from '../../base/actor.ts';
import { timestamp, type Clock } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import { lockOrganization, requirePermissionToChange } from '../../organizations/authorization.ts';
import { takeReportStep, type ReportStep } from '../../reports/documents/import.ts';
import type { Renamed } from '../../reports/reports.ts';
import type { Database, Transaction } from '../../storage/database.ts';
import { restoreDashboardRow } from '../trash/store.ts';
import { widgetsText } from '../content/content.ts';
import { setDashboardOrigin } from './store.ts';
import { planImport, type ImportingUser, type DashboardStep } from './import-plan.ts';
import { insertDashboard } from '../store.ts';
import { queueUsesOfReport } from '../uses.ts';
import { storeVersion } from '../history/versions.ts';

export interface DashboardImport {
  readonly organizationId: string;
  readonly documents: readonly AtriumDocument[];
  /** Then nothing is stored, and the answer is what it would be. */
  readonly isDryRun: boolean;
}

/**
 * Makes the dashboards and reports of an organization as documents have them, all or none, and returns what that is for
 * each document. Editor or higher. Throws `invalid_body` when two documents have one id or a report does not fit its
 * organization, and `forbidden` with each document whose dashboard the actor may not change, be it one that the actor does not see: to whoever knows its id, that it is
 * there is told, for without it nobody could tell why nothing was imported.
 */
export function importDashboards(
  database: Database,
  clock: Clock,
  actor: Actor,
  input: DashboardImport,
): Promise<ImportedDocument[]> {
  return database.write(async (transaction) => {
    const role = await requirePermissionToChange(
      transaction,
      actor,
      input.organizationId,
      'dashboard.create',
    );
    const importer = { userId: actor.userId, role, audit: { actor }, renamed: renamedIn(database) };
    return importDocuments(transaction, clock, input, importer);
  });
}

/** As `importDashboards`, for the operator, who may change every dashboard; `owner` gets what is new. */
export function importForOperator(
  database: Database,
  clock: Clock,
  owner: { readonly id: string; readonly email: string },
  input: DashboardImport,
): Promise<ImportedDocument[]> {
  return database.write(async (transaction) => {
    await lockOrganization(transaction, input.organizationId);
    const audit = { details: { by: 'operator', as: owner.email } };
    const importer = { userId: owner.id, role: 'owner', audit, renamed: renamedIn(database) } as const;
    return importDocuments(transaction, clock, input, importer);
  });
}

interface Importer extends ImportingUser {
  readonly audit: Pick<AuditRecord, 'actor' | 'details'>;
  readonly renamed: Renamed;
}

const renamedIn =
  (database: Database): Renamed =>
  (transaction, report) =>
    queueUsesOfReport(database, transaction, report);

/** The organization is locked: of two imports of one document the second finds what the first has made. */
async function importDocuments(
  transaction: Transaction,
  clock: Clock,
  { organizationId, documents, isDryRun }: DashboardImport,
  importer: Importer,
): Promise<ImportedDocument[]> {
  const steps = await planImport(transaction, organizationId, documents, importer);
  if (isDryRun) return steps.map((step) => toItem(step, idBefore(step)));
  const { userId, renamed } = importer;
  const items: ImportedDocument[] = [];
  for (const step of steps) {
    const made = { organizationId, userId, at: timestamp(clock()), renamed };
    if (step.kind === 'report') await takeReportStep(transaction, step, made);
    const id = step.kind === 'report' ? step.id : await takeStep(transaction, step, made);
    items.push(toItem(step, id));
  }
  await recordImport(transaction, clock, organizationId, items, importer);
  return items;
}

const idBefore = ({ matched }: DashboardStep | ReportStep): string | undefined =>
  matched && ('summary' in matched ? matched.summary.id : matched.id);

/** Stores what a document makes. Returns the id of the dashboard. */
async function takeStep(
  transaction: Transaction,
  { document, matched, content, action, changes }: DashboardStep,
  { organizationId, userId, at }: { organizationId: string; userId: string; at: string },
): Promise<string> {
  const made = {
    updatedBy: userId,
    change: 'imported',
    restoredFrom: undefined,
    saveHash: undefined,
  } as const;
  if (matched === undefined) {
    const { widgets, ...head } = content;
    // Never the document's id: another organization may have it, and nobody may learn of that.
    const id = newId();
    const summary = { id, userId, organizationId, ...head, createdAt: at, updatedAt: at };
    await insertDashboard(transaction, {
      ...made,
      summary,
      widgetsJson: widgetsText(widgets),
      version: 1,
    });
    await setDashboardOrigin(transaction, { id, originId: document.id });
    return id;
  }
  const { id } = matched.summary;
  if (action === 'restore') await restoreDashboardRow(transaction, id);
  if (changes !== undefined) {
    await storeVersion(transaction, matched, {
      ...made,
      summary: { ...matched.summary, updatedAt: at },
      content,
    });
  }
  return id;
}

function toItem(step: DashboardStep | ReportStep, id: string | undefined): ImportedDocument {
  const { kind, document, action, changes } = step;
  return {
    kind,
    id: document.id,
    ...(id !== undefined && { [`${kind}Id` as const]: id }),
    name: document.name,
    action,
    ...(changes !== undefined && { changes: [...changes] }),
    ...(step.kind === 'dashboard' && step.newWidgetIds > 0 && { newWidgetIds: step.newWidgetIds }),
  };
}

/** Writes down an import that has changed something, as one entry however many dashboards and reports it had. */
async function recordImport(
  transaction: Transaction,
  clock: Clock,
  organizationId: string,
  items: readonly ImportedDocument[],
  { audit }: Importer,
): Promise<void> {
  const changed = items.filter(({ action }) => action !== 'unchanged');
  if (changed.length === 0) return;
  const { dashboard: dashboards = [], report: reports = [] } = Object.groupBy(items, ({ kind }) => kind);
  await recordAudit(transaction, clock, {
    ...audit,
    organizationId,
    action: 'dashboards.imported',
    details: {
      ...audit.details,
      ...countActions(dashboards),
      dashboardIds: changed.flatMap(({ dashboardId }) => dashboardId ?? []),
      ...(reports.length > 0 && {
        reports: countActions(reports),
        reportIds: changed.flatMap(({ reportId }) => reportId ?? []),
      }),
    },
  });
}

function countActions(items: readonly ImportedDocument[]): Record<string, number> {
  const count = (action: ImportAction) => items.filter((item) => item.action === action).length;
  return {
    created: count('create'),
    updated: count('update'),
    restored: count('restore'),
    unchanged: count('unchanged'),
  };
}

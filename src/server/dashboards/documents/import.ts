import type {
  AtriumDocument,
  ExpectedImport,
  ImportAction,
  ImportedDocument,
} from '#contract/records/documents.ts';
import { recordAudit, type AuditRecord } from '../../audit/audit.ts';
import { AtriumError } from '../../base/errors.ts';
import type { Actor } from '../../base/actor.ts';
import { timestamp, type Clock } from '../../base/clock.ts';
import { lockOrganization, requirePermissionToChange } from '../../organizations/authorization.ts';
import { requireFolderOf } from '../../folders/creation.ts';
import { applyStep } from '../../records/import.ts';
import type { ReportStep } from '../../reports/documents/import.ts';
import type { Database, Transaction } from '../../storage/database.ts';
import { dashboardKind } from '../kind.ts';
import { reportsOnDashboards } from '../uses.ts';
import { planImport, type DashboardStep, type ImportingUser } from './import-plan.ts';

export interface DashboardImport {
  readonly organizationId: string;
  readonly documents: readonly AtriumDocument[];
  /** If true, nothing is stored, and the result shows what an import would do. */
  readonly isDryRun: boolean;
  /** The folder in which new dashboards and reports are created; the others stay where they are. */
  readonly folderId?: string | undefined;
  /** What an earlier dry run returned, if the import must do the same. */
  readonly expected?: readonly ExpectedImport[] | undefined;
}

/**
 * Creates, updates and restores dashboards and reports of an organization as documents describe them, all or none, and returns
 * the action for each document. Requires the editor role or higher, and permission to edit the folder that they are created in. Throws `invalid_body` if two documents have the same ID or a
 * report is not valid in the organization, and `forbidden` with each document whose dashboard the actor may not change, even if
 * the actor may not see it: people who know its ID learn that it exists, since otherwise the failure couldn't be explained. Throws
 * `unknown_version` with each document for which it would do something else than `expected`.
 */
export function importDashboards(
  database: Database,
  clock: Clock,
  actor: Actor,
  input: DashboardImport,
): Promise<ImportedDocument[]> {
  return database.write(async (transaction) => {
    const { organizationId } = input;
    const role = await requirePermissionToChange(transaction, actor, organizationId, 'dashboard.create');
    if (input.folderId !== undefined)
      await requireFolderOf(transaction, actor, { organizationId, folderId: input.folderId });
    const importer = { userId: actor.userId, role, audit: { actor } };
    return importDocuments(database, transaction, clock, input, importer);
  });
}

/** Like `importDashboards`, for the operator, who may change every dashboard; new records belong to `owner`. */
export function importForOperator(
  database: Database,
  clock: Clock,
  owner: { readonly id: string; readonly email: string },
  input: Omit<DashboardImport, 'folderId'>,
): Promise<ImportedDocument[]> {
  return database.write(async (transaction) => {
    await lockOrganization(transaction, input.organizationId);
    const audit = { details: { by: 'operator', as: owner.email } };
    return importDocuments(database, transaction, clock, input, { userId: owner.id, role: 'owner', audit });
  });
}

interface Importer extends ImportingUser {
  readonly audit: Pick<AuditRecord, 'actor' | 'details'>;
}

/** Requires the organization to be locked: of two imports of a document, the second finds what the first created. */
async function importDocuments(
  database: Database,
  transaction: Transaction,
  clock: Clock,
  input: DashboardImport,
  importer: Importer,
): Promise<ImportedDocument[]> {
  const { organizationId, folderId, isDryRun } = input;
  const reports = reportsOnDashboards(database);
  const steps = await planImport(transaction, reports, input, importer);
  const items = steps.map((step) => toItem(step, input));
  requireExpected(steps, input.expected);
  if (isDryRun) return items;
  for (const step of steps) {
    const made = { organizationId, userId: importer.userId, at: timestamp(clock()), place: { folderId } };
    if (step.kind === 'report') await applyStep(transaction, reports, step, made);
    else await applyStep(transaction, dashboardKind, step, made);
  }
  await recordImport(transaction, clock, organizationId, items, importer);
  return items;
}

function toItem(step: DashboardStep | ReportStep, { isDryRun }: DashboardImport): ImportedDocument {
  const { kind, document, id, matched, action, changes } = step;
  return {
    kind,
    id: document.id,
    ...((matched !== undefined || !isDryRun) && { [`${kind}Id` as const]: id }),
    name: document.name,
    action,
    ...(matched !== undefined && isDryRun && { version: matched.record.version }),
    ...(matched === undefined && step.isRestricting && { restricted: true }),
    ...(changes !== undefined && { changes: [...changes] }),
    ...(step.kind === 'dashboard' && step.newWidgetIds > 0 && { newWidgetIds: step.newWidgetIds }),
    ...(step.kind === 'dashboard' &&
      step.missingImages.length > 0 && { missingImages: [...step.missingImages] }),
  };
}

/** Throws `unknown_version` if others have changed, created, deleted or restored a record since the dry run. */
function requireExpected(
  steps: readonly (DashboardStep | ReportStep)[],
  expected: readonly ExpectedImport[] | undefined,
): void {
  if (expected === undefined) return;
  const byId = new Map(expected.map((one) => [one.id, one]));
  const faults = steps.flatMap(({ document, action, matched }, index) => {
    const one = byId.get(document.id);
    if (one?.action === action && one.version === matched?.record.version) return [];
    return [{ pointer: `/documents/${index}`, code: 'version', message: 'was changed by others' }];
  });
  if (faults.length > 0)
    throw new AtriumError(
      'unknown_version',
      'Nothing was imported, because others have changed some of these dashboards and reports since the dry run.',
      { faults },
    );
}

/** Writes an import that changed something to the audit log, as one entry for all its dashboards and reports. */
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

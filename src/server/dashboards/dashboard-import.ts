import type { DashboardDocument, ImportAction, ImportedDashboard } from '#contract/dashboard-documents.ts';
import { recordAudit, type AuditRecord } from '../audit/audit.ts';
import type { Actor } from '../base/actor.ts';
import { timestamp, type Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import { lockOrganization, requireRoleToChange } from '../organizations/members.ts';
import type { Database, Transaction } from '../storage/database.ts';
import { restoreDashboardRow } from './dashboard-bin-store.ts';
import { widgetsText } from './dashboard-content.ts';
import { setDashboardOrigin } from './dashboard-document-store.ts';
import { planImport, type ImportingUser, type ImportStep } from './dashboard-import-plan.ts';
import { insertDashboard } from './dashboard-store.ts';
import { storeVersion } from './dashboard-versions.ts';

export interface DashboardImport {
  readonly organizationId: string;
  readonly documents: readonly DashboardDocument[];
  /** Then nothing is stored, and the answer is what it would be. */
  readonly isDryRun: boolean;
}

/**
 * Makes the dashboards of an organization as documents have them, all or none, and returns what that is for each
 * document. Editor or higher. Throws `invalid_body` when two documents have one id, and `forbidden` with each document
 * whose dashboard the actor may not change, be it one that the actor does not see: to whoever knows its id, that it is
 * there is told, for without it nobody could tell why nothing was imported.
 */
export function importDashboards(
  database: Database,
  clock: Clock,
  actor: Actor,
  input: DashboardImport,
): Promise<ImportedDashboard[]> {
  return database.write(async (transaction) => {
    const role = await requireRoleToChange(transaction, actor, input.organizationId, 'editor');
    return importDocuments(transaction, clock, input, { userId: actor.userId, role, audit: { actor } });
  });
}

/** As `importDashboards`, for the operator, who may change every dashboard; `owner` gets what is new. */
export function importForOperator(
  database: Database,
  clock: Clock,
  owner: { readonly id: string; readonly email: string },
  input: DashboardImport,
): Promise<ImportedDashboard[]> {
  return database.write(async (transaction) => {
    await lockOrganization(transaction, input.organizationId);
    const audit = { details: { by: 'operator', as: owner.email } };
    return importDocuments(transaction, clock, input, { userId: owner.id, role: 'owner', audit });
  });
}

interface Importer extends ImportingUser {
  readonly audit: Pick<AuditRecord, 'actor' | 'details'>;
}

/** The organization is locked: of two imports of one document the second finds what the first has made. */
async function importDocuments(
  transaction: Transaction,
  clock: Clock,
  { organizationId, documents, isDryRun }: DashboardImport,
  importer: Importer,
): Promise<ImportedDashboard[]> {
  const steps = await planImport(transaction, organizationId, documents, importer);
  if (isDryRun) return steps.map((step) => toItem(step, step.matched?.summary.id));
  const items: ImportedDashboard[] = [];
  for (const step of steps) {
    const id = await takeStep(transaction, step, {
      organizationId,
      userId: importer.userId,
      at: timestamp(clock()),
    });
    items.push(toItem(step, id));
  }
  await recordImport(transaction, clock, organizationId, items, importer);
  return items;
}

/** Stores what a document makes. Returns the id of the dashboard. */
async function takeStep(
  transaction: Transaction,
  { document, matched, content, action, changes }: ImportStep,
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

function toItem(
  { document, action, changes, newWidgetIds }: ImportStep,
  dashboardId: string | undefined,
): ImportedDashboard {
  return {
    id: document.id,
    ...(dashboardId !== undefined && { dashboardId }),
    name: document.name,
    action,
    ...(changes !== undefined && { changes: [...changes] }),
    ...(newWidgetIds > 0 && { newWidgetIds }),
  };
}

/** Writes down an import that has changed something, as one entry however many dashboards it had. */
async function recordImport(
  transaction: Transaction,
  clock: Clock,
  organizationId: string,
  items: readonly ImportedDashboard[],
  { audit }: Importer,
): Promise<void> {
  const changed = items.filter(({ action }) => action !== 'unchanged');
  if (changed.length === 0) return;
  const count = (action: ImportAction) => items.filter((item) => item.action === action).length;
  await recordAudit(transaction, clock, {
    ...audit,
    organizationId,
    action: 'dashboards.imported',
    details: {
      ...audit.details,
      created: count('create'),
      updated: count('update'),
      restored: count('restore'),
      unchanged: count('unchanged'),
      dashboardIds: changed.map(({ dashboardId }) => dashboardId),
    },
  });
}

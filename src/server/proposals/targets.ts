import type { ProposalInput } from '#contract/proposals.ts';
import type { Actor } from '../base/actor.ts';
import type { Clock } from '../base/clock.ts';
import { addDashboard } from '../dashboards/dashboards.ts';
import { widgetsText, type DashboardContent } from '../dashboards/content/content.ts';
import { replacedBy } from '../dashboards/content/editing.ts';
import { dashboardKind } from '../dashboards/kind.ts';
import type { RecordKind } from '../records/kind.ts';
import type { StoredRecord } from '../records/record.ts';
import { toContent, type ReportContent } from '../reports/content.ts';
import { requireValidContent, type ReportKind } from '../reports/kind.ts';
import { addReport } from '../reports/reports.ts';
import type { Transaction } from '../storage/database.ts';

/** What proposals of one kind of record need to know of it. */
export interface ProposalTarget<Content extends object, Stored extends StoredRecord> {
  readonly kind: RecordKind<Content, Stored>;
  /**
   * Throws `invalid_body` and `body_too_large` unless the user could propose a content: as if the user stored it, except for the
   * permission to change the record.
   */
  requireValid(
    transaction: Transaction,
    change: {
      readonly organizationId: string;
      readonly userId: string;
      readonly content: Content;
      readonly before: Content | undefined;
    },
  ): Promise<void>;
  /** Creates a record with an ID, as the actor does it by hand, in a folder if there is one. */
  create(
    transaction: Transaction,
    clock: Clock,
    actor: Actor,
    input: {
      readonly id: string;
      readonly organizationId: string;
      readonly content: Content;
      readonly proposedBy: string;
      readonly folderId: string | undefined;
    },
  ): Promise<Stored>;
}

/** The kinds of records that can be proposed. */
export interface ProposalTargets {
  readonly report: ProposalTarget<ReportContent, Awaited<ReturnType<typeof addReport>>>;
  readonly dashboard: ProposalTarget<DashboardContent, Awaited<ReturnType<typeof addDashboard>>>;
}

/** Returns the kinds of records that can be proposed. */
export const proposalTargets = (reportKind: ReportKind): ProposalTargets => ({
  report: {
    kind: reportKind,
    async requireValid(transaction, { organizationId, userId, content, before }) {
      const known = before === undefined ? {} : { before, known: before };
      await requireValidContent(transaction, organizationId, { content, userId, ...known });
    },
    async create(transaction, clock, actor, { id, organizationId, content, folderId }) {
      const input = { ...content, organizationId };
      const stored = await addReport(transaction, clock, actor, input, { id, folderId });
      // Dashboards that were saved before it existed can already show it.
      await reportKind.onChange(transaction, stored, { isRenamed: true });
      return stored;
    },
  },
  dashboard: {
    kind: dashboardKind,
    async requireValid(_, { content }) {
      widgetsText(content.widgets);
    },
    create: (transaction, clock, actor, { id, organizationId, content, proposedBy, folderId }) =>
      addDashboard(
        transaction,
        clock,
        actor,
        { ...content, widgets: [...content.widgets], organizationId },
        { id, folderId, editorsOf: () => [proposedBy] },
      ),
  },
});

/** Returns the content of a proposed report. */
export const reportContent = (edit: NonNullable<ProposalInput['report']>): ReportContent => toContent(edit);

/** Returns the content of a proposed dashboard, given the version that it starts from, if any. */
export const dashboardContent = (
  edit: NonNullable<ProposalInput['dashboard']>,
  base: DashboardContent | undefined,
): DashboardContent => {
  const from = base ?? { name: '', widgets: [] };
  return replacedBy(edit)(from, from);
};

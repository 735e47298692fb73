import type { Proposal } from '#contract/proposals.ts';
import { call } from '../app/api.ts';
import { contentOf as dashboardContentOf, type DraftContent } from '../dashboards/edit/draft/content.ts';
import { dashboardDrafts } from '../dashboards/edit/draft/kind.ts';
import { findDraft, storeDraft, type DraftBase, type DraftKind } from '../drafts/storage.ts';
import { contentOf, emptyContent, recordIdOf, reportDrafts } from '../reports/edit/content.ts';
import { withDefaults } from './states/report-content.ts';

/** Whether this browser has unsaved changes that the draft of a proposal would replace. */
export function hasDraft(proposal: Proposal, userId: string): boolean {
  const recordId = draftIdOf(proposal);
  return proposal.kind === 'report'
    ? findDraft(localStorage, reportDrafts, { userId, recordId }) !== undefined
    : findDraft(localStorage, dashboardDrafts, { userId, recordId }) !== undefined;
}

/** Stores a proposal as a draft, based on the version that it starts from. Returns whether the browser had enough space. */
export async function storeAsDraft(proposal: Proposal, userId: string): Promise<boolean> {
  const { report, dashboard } = proposal;
  if (report !== undefined) {
    const present = contentOf(withDefaults(report));
    return store(reportDrafts, proposal, userId, await baseOfReport(proposal, present.dataSourceId), present);
  }
  if (dashboard === undefined) throw new Error('A proposal has a report or a dashboard.');
  const base = await baseOfDashboard(proposal);
  const known = new Set(base.content.widgets.map(({ key }) => key));
  const present = dashboardContentOf(dashboard);
  return store(dashboardDrafts, proposal, userId, base, {
    ...present,
    // Those that were never saved have no ID.
    widgets: present.widgets.map(({ id, ...widget }) =>
      known.has(widget.key) && id !== undefined ? { ...widget, id } : widget,
    ),
  });
}

const draftIdOf = ({ kind, organizationId, recordId, baseVersion }: Proposal): string =>
  kind === 'report' && baseVersion === undefined ? recordIdOf({ organizationId }) : recordId;

const store = <Content>(
  kind: DraftKind<Content>,
  proposal: Proposal,
  userId: string,
  base: DraftBase<Content>,
  present: Content,
): boolean =>
  storeDraft(
    localStorage,
    kind,
    { userId, recordId: draftIdOf(proposal) },
    { storedAt: new Date().toISOString(), base, present },
  );

async function baseOfReport({ recordId, baseVersion }: Proposal, dataSourceId: string) {
  if (baseVersion === undefined) return { etag: '', content: emptyContent(dataSourceId) };
  const version = await call('GET /api/reports/{reportId}/versions/{version}', {
    params: { reportId: recordId, version: String(baseVersion) },
  });
  return { etag: `"${baseVersion}"`, content: contentOf(withDefaults(version)) };
}

async function baseOfDashboard({ recordId, baseVersion = 1 }: Proposal): Promise<DraftBase<DraftContent>> {
  const version = await call('GET /api/dashboards/{dashboardId}/versions/{version}', {
    params: { dashboardId: recordId, version: String(baseVersion) },
  });
  return { etag: `"${baseVersion}"`, content: dashboardContentOf(version) };
}

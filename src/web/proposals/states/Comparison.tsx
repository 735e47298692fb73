import { SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Proposal, ProposalReview } from '#contract/proposals.ts';
import { t } from '#shared/language/messages.ts';
import { dashboardQuery } from '../../dashboards/queries.ts';
import { reportQuery, reportResultQuery } from '../../reports/queries.ts';
import { Section } from '../../ui/page/Section.tsx';
import { Waiting } from '../../ui/page/Waiting.tsx';
import { Failure } from '../../ui/problems/Failure.tsx';
import { DashboardState } from './DashboardState.tsx';
import { previewQuery } from './queries.ts';
import { withDefaults } from './report-content.ts';
import { ReportState } from './ReportState.tsx';

/** What there is now beside what is proposed; one below the other on narrow screens. */
export function Comparison({
  orgId,
  proposal: { recordId, baseVersion },
  review: { report, dashboard, changes },
}: {
  readonly orgId: string;
  readonly proposal: Proposal;
  readonly review: ProposalReview;
}): ReactNode {
  const isNew = baseVersion === undefined;
  const changed = isNew ? [] : changes.flatMap(({ widgetId }) => widgetId ?? []);
  return (
    <SimpleGrid cols={isNew ? 1 : { base: 1, lg: 2 }} spacing="md">
      {!isNew && (
        <Section title={t('Now')}>
          {report === undefined ? (
            <PresentDashboard orgId={orgId} dashboardId={recordId} changed={changed} />
          ) : (
            <PresentReport reportId={recordId} />
          )}
        </Section>
      )}
      <Section title={t('Proposed')}>
        {report !== undefined && <ProposedReport orgId={orgId} report={report} />}
        {dashboard !== undefined && <DashboardState orgId={orgId} {...dashboard} changed={changed} />}
      </Section>
    </SimpleGrid>
  );
}

function PresentReport({ reportId }: { readonly reportId: string }): ReactNode {
  const { data, error, refetch } = useQuery(reportQuery(reportId));
  const result = useQuery(reportResultQuery(reportId, {}));
  if (error !== null) return <Failure error={error} retry={() => void refetch()} />;
  return data === undefined ? <Waiting height={320} /> : <ReportState report={data.report} result={result} />;
}

function ProposedReport({
  orgId,
  report,
}: {
  readonly orgId: string;
  readonly report: NonNullable<ProposalReview['report']>;
}): ReactNode {
  const result = useQuery(previewQuery(orgId, report));
  return <ReportState report={withDefaults(report)} result={result} />;
}

function PresentDashboard({
  orgId,
  dashboardId,
  changed,
}: {
  readonly orgId: string;
  readonly dashboardId: string;
  readonly changed: readonly string[];
}): ReactNode {
  const { data, error, refetch } = useQuery(dashboardQuery(dashboardId));
  if (error !== null) return <Failure error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Waiting height={320} />;
  const { name, description, widgets } = data.dashboard;
  return (
    <DashboardState orgId={orgId} name={name} description={description} widgets={widgets} changed={changed} />
  );
}

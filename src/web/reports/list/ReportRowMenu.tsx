import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ReportSummary } from '#contract/reports/reports.ts';
import { paths } from '../../app/paths.ts';
import { ItemRowMenu } from '../../folders/ItemRowMenu.tsx';

/** The actions for a report in a list. */
export function ReportRowMenu({ report }: { readonly report: ReportSummary }): ReactNode {
  const navigate = useNavigate();
  const go = (to: typeof paths.report | typeof paths.reportEdit) =>
    void navigate({ to, params: { reportId: report.id } });
  return (
    <ItemRowMenu
      kind="report"
      item={report}
      onOpen={() => go(paths.report)}
      onEdit={() => go(paths.reportEdit)}
    />
  );
}

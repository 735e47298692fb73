import { IconExternalLink, IconLayoutDashboard, IconListSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DrillTarget } from '#contract/reports/drill.ts';
import type { Report } from '#contract/reports/reports.ts';
import { paths } from '../../app/paths.ts';
import { MenuAction } from '../../ui/actions/MenuAction.tsx';
import type { Mark } from '#charts/marks/mark.ts';
import type { ParameterValues } from '../parameters/search.ts';
import { columnsOf, markValues, reasonAgainstTarget, searchOf, type Result } from './mark-values.ts';
import type { Drill } from './use-drill.tsx';

const icons: Readonly<Record<DrillTarget['kind'], typeof IconExternalLink>> = {
  query: IconListSearch,
  report: IconExternalLink,
  dashboard: IconLayoutDashboard,
};

/** Items of the menu of marks for the queries, reports and dashboards that the author of the report has chosen. */
export function TargetItems({
  report,
  marks,
  result,
  parameters,
  drill,
}: {
  readonly report: Report;
  readonly marks: readonly Mark[];
  readonly result: Result;
  readonly parameters: ParameterValues;
  readonly drill: Drill;
}): ReactNode {
  const navigate = useNavigate();
  const open = (target: DrillTarget, index: number) => {
    switch (target.kind) {
      case 'query': {
        const values = markValues(marks, columnsOf(target), result);
        const request = {
          reportId: report.id,
          title: target.label,
          parameters,
          marks: values,
          target: index,
        };
        drill.openRows({ request });
        break;
      }
      case 'report':
        void navigate({
          to: paths.report,
          params: { reportId: target.reportId },
          search: searchOf(target.parameters, marks, result),
        });
        break;
      case 'dashboard':
        void navigate({
          to: paths.dashboard,
          params: { dashboardId: target.dashboardId },
          search: searchOf(target.filters, marks, result),
        });
        break;
    }
  };
  return (report.drill?.targets ?? []).map((target, index) => {
    const Icon = icons[target.kind];
    return (
      <MenuAction
        // Targets have no names of their own.
        key={index}
        icon={<Icon size={16} />}
        reason={reasonAgainstTarget(target, marks, result)}
        onClick={() => open(target, index)}
      >
        {target.label}
      </MenuAction>
    );
  });
}

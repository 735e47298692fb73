import type { Fault } from '#contract/problem.ts';
import type { DrillTarget, ReportDrill } from '#contract/reports/drill.ts';
import type { ReportParameter } from '#contract/reports/reports.ts';
import { findPlaceholders, findUndeclared } from '#shared/sql/placeholders.ts';

/** Returns the settings of what a click on a mark offers, without unknown fields. */
export const pickDrill = ({ rows, targets }: ReportDrill): ReportDrill => ({
  ...(rows !== undefined && { rows }),
  ...(targets !== undefined && { targets: targets.map(pickTarget) }),
});

function pickTarget(target: DrillTarget): DrillTarget {
  const { kind, label } = target;
  switch (kind) {
    case 'query':
      return { kind, label, query: target.query, columns: target.columns };
    case 'report':
      return { kind, label, reportId: target.reportId, parameters: target.parameters };
    case 'dashboard':
      return { kind, label, dashboardId: target.dashboardId, filters: target.filters };
  }
}

/** Returns the faults of the queries that a click on a mark can lead to. */
export function findDrillFaults(
  { targets = [] }: ReportDrill,
  parameters: readonly ReportParameter[],
): Fault[] {
  return targets.flatMap((target, index) => {
    if (target.kind !== 'query') return [];
    const { placeholders, faults } = findPlaceholders(target.query);
    const columns = Object.keys(target.columns).map((name) => ({ name }));
    const pointer = `/drill/targets/${index}/query`;
    return [
      ...faults.map(({ message }) => ({ pointer, code: 'placeholder', message })),
      ...findUndeclared(placeholders, [...parameters, ...columns]).map(({ name }) => ({
        pointer,
        code: 'parameter',
        message: `refers to {{${name}}}, which is neither a column nor a parameter`,
      })),
    ];
  });
}

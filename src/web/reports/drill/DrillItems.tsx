import { IconArrowsSplit2, IconListDetails, IconChartBar } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Report } from '#contract/reports/reports.ts';
import { dialectOfKind, type DialectName } from '#shared/query-builder/dialects/dialects.ts';
import { isSummarized, type Drilled } from '#shared/query-builder/drill/marks.ts';
import { zoomIn, zoomOf } from '#shared/query-builder/drill/regroup.ts';
import { rowsBehind } from '#shared/query-builder/drill/rows.ts';
import { MenuAction } from '../../ui/actions/MenuAction.tsx';
import { dataSourceQuery } from '../../ui/server-data/data-source-queries.ts';
import { useOrganization } from '../../ui/server-data/session.ts';
import { reasonAgainst } from '../../ui/text/permissions.ts';
import type { Mark } from '#charts/marks/mark.ts';
import { t } from '#shared/language/messages.ts';
import type { ParameterValues } from '../parameters/search.ts';
import { reportQuery } from '../queries.ts';
import { groupValues, type Result } from './mark-values.ts';
import { TargetItems } from './TargetItems.tsx';
import type { Drill } from './use-drill.tsx';

/** A report whose marks are clicked, with its result and the values of its parameters. */
export interface DrilledReport {
  readonly reportId: string;
  readonly result: Result;
  readonly parameters: ParameterValues;
}

interface ItemsProps extends DrilledReport {
  readonly marks: readonly Mark[];
  readonly drill: Drill;
}

/** Items of the menu of marks that lead to their rows, to other queries of them, and to where the author links. */
export function DrillItems(props: ItemsProps): ReactNode {
  const { reportId } = props;
  const { data } = useQuery(reportQuery(reportId));
  const { data: source } = useQuery({
    ...dataSourceQuery(data?.report.dataSourceId ?? ''),
    enabled: data !== undefined,
  });
  if (data === undefined || source === undefined)
    return (
      <MenuAction icon={<IconListDetails size={16} />} reason={t('Loading…')} onClick={() => {}}>
        {t('See these rows')}
      </MenuAction>
    );
  const { report } = data;
  return (
    <>
      <BuiltItems {...props} report={report} dialect={dialectOfKind[source.kind]} />
      <TargetItems {...props} report={report} />
    </>
  );
}

function BuiltItems({
  report,
  dialect,
  marks,
  result,
  parameters,
  drill,
}: ItemsProps & { readonly report: Report; readonly dialect: DialectName }): ReactNode {
  const role = useOrganization(report.organizationId)?.role;
  const found = groupValues(report, dialect, marks, result);
  const { structure } = report;
  const title = t('Rows of {name}', { name: report.name });
  // The marks of a report that doesn't summarize stand for rows that everyone who can read it already sees.
  const showsRows = structure !== undefined && !isSummarized(structure);
  const known =
    'values' in found && structure !== undefined ? { structure, values: found.values } : undefined;
  const reason = 'reason' in found ? found.reason : undefined;
  const against = reasonAgainst('report.create', role);
  const fault = known && reasonOf(rowsBehind(known.structure, dialect, known.values));
  const isFiltered = report.parameters.some(
    ({ name, default: preset }) =>
      Object.hasOwn(parameters, name) &&
      JSON.stringify(parameters[name] ?? null) !== JSON.stringify(preset ?? null),
  );
  // A new query starts from the defaults of the filters, which would be other rows.
  const otherRows = isFiltered ? t('Reset the filters of the report to their defaults first.') : undefined;
  const againstNew = against ?? reason ?? fault ?? otherRows;
  const zoom = structure && zoomOf(structure);
  const againstZoom =
    againstNew ??
    (zoom === undefined ? t('None of its groups is a range of time or numbers.') : undefined) ??
    (known && reasonOf(zoomIn(known.structure, dialect, known.values)));
  const open = (drilled: Drilled) => {
    if ('structure' in drilled) drill.openNewReport({ report, structure: drilled.structure, dialect });
  };
  return (
    <>
      <MenuAction
        icon={<IconListDetails size={16} />}
        reason={
          showsRows
            ? undefined
            : (reason ?? (report.drill?.rows === 'everyone' ? undefined : against) ?? fault)
        }
        onClick={() => {
          if (showsRows) {
            const rows = [...new Set(marks.flatMap((mark) => mark.rows))];
            drill.openShownRows({ title, columns: result.columns, rows });
          }
          if (known === undefined) return;
          drill.openRows({
            request: {
              reportId: report.id,
              title,
              parameters,
              marks: known.values,
            },
            againstNew,
            onOpenNew: () => open(rowsBehind(known.structure, dialect, known.values)),
          });
        }}
      >
        {t('See these rows')}
      </MenuAction>
      <MenuAction
        icon={<IconArrowsSplit2 size={16} />}
        reason={againstNew}
        onClick={() => known && drill.openBreakOut({ ...known, report, dialect })}
      >
        {t('Break out by…')}
      </MenuAction>
      <MenuAction
        icon={<IconChartBar size={16} />}
        reason={againstZoom}
        onClick={() => known && open(zoomIn(known.structure, dialect, known.values))}
      >
        {zoom?.granularity === undefined
          ? t('Group by narrower ranges')
          : t('Group by {granularity}', { granularity: zoom.granularity })}
      </MenuAction>
    </>
  );
}

const reasonOf = (drilled: Drilled): string | undefined => ('reason' in drilled ? drilled.reason : undefined);

import { Anchor, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { paths } from '../app/paths.ts';
import { reportQuery } from '../reports/queries.ts';
import { useOrganization } from '../ui/server-data/session.ts';
import { reasonAgainst } from '../ui/text/permissions.ts';
import { ExploreView, type SavedPart } from './ExploreView.tsx';
import { resultReport } from './save/result-report.ts';
import { visualizationOf } from './save/visualization.ts';
import { readParameters, withChange } from './search.ts';
import { rich } from '../ui/text/rich.tsx';

/** Explores the result of a report. */
export function ExploreReportPage(): ReactNode {
  const { reportId } = useParams({ from: paths.exploreReport });
  const search = useSearch({ from: paths.exploreReport });
  const navigate = useNavigate({ from: paths.exploreReport });
  const { report } = useSuspenseQuery(reportQuery(reportId)).data;
  const organization = useOrganization(report.organizationId);
  const role = organization?.role;
  const timeZone = organization?.timeZone ?? 'UTC';
  const target = useMemo(
    () => ({ reportId, parameters: readParameters(search.parameters) }),
    [reportId, search.parameters],
  );
  if (role === undefined) return null;
  const toReport = ({ selections, columns, chart }: SavedPart) => {
    const { organizationId, dataSourceId } = report;
    // The values with which the report was explored become the defaults.
    const parameters = report.parameters.map((parameter) => {
      const value = Object.hasOwn(target.parameters, parameter.name)
        ? target.parameters[parameter.name]
        : undefined;
      return value === undefined ? parameter : { ...parameter, default: value };
    });
    const part = { columns, selections, timeZone, chart };
    const saved = resultReport({ query: report.query, parameters }, part);
    return { organizationId, dataSourceId, ...saved, visualization: visualizationOf(chart) };
  };
  return (
    <ExploreView
      title={t('Explore {name}', { name: report.name })}
      description={
        <Text size="sm" span>
          {rich('The result of <link>{name}</link>', {
            name: report.name,
            link: (text) => (
              <Anchor
                size="sm"
                underline="always"
                renderRoot={(props) => (
                  <Link
                    {...props}
                    to={paths.report}
                    params={{ reportId }}
                    search={target.parameters as object}
                  />
                )}
              >
                {text}
              </Anchor>
            ),
          })}
        </Text>
      }
      target={target}
      timeZone={timeZone}
      search={search}
      changeSearch={(change) =>
        void navigate({ search: (before) => withChange(before, change), resetScroll: false })
      }
      titleOf={sameName}
      saveReason={reasonAgainst('report.create', role)}
      toReport={toReport}
    />
  );
}

const sameName = (column: string): string => column;

import { Anchor } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, type ReactNode } from 'react';
import { displayNameOf, findModel, tableTitle } from '#shared/models.ts';
import { dialectOfKind } from '#shared/query-builder/dialects/dialects.ts';
import { generateQuery } from '#shared/query-builder/generate.ts';
import { paths } from '../app/paths.ts';
import { Page } from '../ui/page/Page.tsx';
import {
  dataSourceQuery,
  sourcePermissionsQuery,
  modelsQuery,
} from '../ui/server-data/data-source-queries.ts';
import { useOrganization } from '../ui/server-data/session.ts';
import { reasonAgainst } from '../ui/text/permissions.ts';
import { reasonAgainstSource } from '../ui/text/source-reasons.ts';
import { EmptyState } from '../ui/page/EmptyState.tsx';
import { IconTable } from '@tabler/icons-react';
import { t } from '#shared/language/messages.ts';
import { useNewReport } from '../reports/new/use-new-report.tsx';
import { ExploreView, type SavedPart } from './ExploreView.tsx';
import { structureOf } from './save/table-report.ts';
import { withChange } from './search.ts';
import { visualizationOf } from './save/visualization.ts';

/** Explores a table of a data source. */
export function ExploreTablePage(): ReactNode {
  const { dataSourceId } = useParams({ from: paths.exploreTable });
  const search = useSearch({ from: paths.exploreTable });
  const navigate = useNavigate({ from: paths.exploreTable });
  const { data: source } = useSuspenseQuery(dataSourceQuery(dataSourceId));
  const organization = useOrganization(source.organizationId);
  const role = organization?.role;
  const { data: permissions } = useQuery(sourcePermissionsQuery(dataSourceId));
  const reason = reasonAgainstSource('use', permissions, role && reasonAgainst('data_source.browse', role));
  const models = useQuery({
    ...modelsQuery(dataSourceId),
    enabled: permissions !== undefined && reason === undefined,
  });
  const { table = '', schema = 'main' } = search;
  const model = findModel(models.data ?? [], { schema, name: table });
  const timeZone = organization?.timeZone ?? 'UTC';
  const target = useMemo(() => ({ dataSourceId, table, schema }), [dataSourceId, table, schema]);
  const titleOf = useCallback((column: string) => displayNameOf(model, column), [model]);
  const title = t('Explore {tableTitle}', { tableTitle: tableTitle(model, { name: table }) });
  const { openNewReport, replaceDialog } = useNewReport();
  if (role === undefined || permissions === undefined) return null;
  if (reason !== undefined) {
    return (
      <Page title={title}>
        <EmptyState icon={IconTable} title={t('You don’t have permission to explore tables')}>
          {t('{reason} You can explore the result of each report that you have access to.', { reason })}
        </EmptyState>
      </Page>
    );
  }
  const dialect = dialectOfKind[source.kind];
  const toStructure = ({ selections, columns, chart }: SavedPart) => {
    const queried = { schema, name: table, columns: columns.map(({ name, type }) => ({ name, type })) };
    return structureOf(queried, { selections, timeZone, chart });
  };
  const toReport = (part: SavedPart) => {
    const structure = toStructure(part);
    const generated = generateQuery(structure, dialect);
    if ('faults' in generated)
      throw new Error(generated.faults.map(({ message }) => message).join(' ') || t('This can’t be saved.'));
    const { sql, parameters } = generated.query;
    return {
      organizationId: source.organizationId,
      dataSourceId,
      query: sql,
      structure,
      parameters: [...parameters],
      visualization: visualizationOf(part.chart),
    };
  };
  return (
    <>
      <ExploreView
        title={title}
        description={
          <Anchor
            size="sm"
            underline="always"
            renderRoot={(props) => (
              <Link {...props} to={paths.dataSource} params={{ dataSourceId }} search={{ table, schema }} />
            )}
          >
            {source.name}
          </Anchor>
        }
        target={target}
        timeZone={timeZone}
        search={search}
        changeSearch={(change) =>
          void navigate({ search: (before) => withChange(before, change), resetScroll: false })
        }
        titleOf={titleOf}
        saveReason={reasonAgainst('report.create', role)}
        openBuilder={(part) =>
          openNewReport({
            report: { organizationId: source.organizationId, dataSourceId },
            structure: toStructure(part),
            dialect,
          })
        }
        toReport={toReport}
      />
      {replaceDialog}
    </>
  );
}

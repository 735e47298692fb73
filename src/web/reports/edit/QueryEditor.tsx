import { Skeleton } from '@mantine/core';
import { IconArrowLeft, IconDatabaseOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import type { TableReference } from '#shared/models.ts';
import { dialectOfKind } from '#shared/query-builder/dialects/dialects.ts';
import { isNotFound } from '../../app/api.ts';
import { ActionButton } from '../../ui/actions/ActionButton.tsx';
import { loadChunk } from '../../ui/connection/chunks.ts';
import { dataSourceQuery } from '../../ui/server-data/data-source-queries.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Failure } from '../../ui/problems/Failure.tsx';
import { Waiting } from '../../ui/page/Waiting.tsx';
import { withStructure } from '../builder/content.ts';
import type { EditedReport } from './edited-report.ts';
import { editingModeOf, reasonAgainstBuilding } from './mode.ts';
import { SqlPane } from './sql/SqlPane.tsx';
import { useIsSqlShown } from './use-is-sql-shown.ts';

const BuilderPane = lazy(async () => ({
  default: (await loadChunk('BuilderPane', () => import('../builder/BuilderPane.tsx'))).BuilderPane,
}));
const BuilderStart = lazy(async () => ({
  default: (await loadChunk('BuilderStart', () => import('../builder/tables/BuilderStart.tsx'))).BuilderStart,
}));

/** The query of a report, in the query builder or as SQL. */
export function QueryEditor({
  report,
  start,
}: {
  readonly report: EditedReport;
  readonly start: TableReference | undefined;
}): ReactNode {
  const { content, saved, reportId, change } = report;
  // The focus then moves to what people continue with.
  const [hasChosen, setHasChosen] = useState(false);
  const { data: source, error, refetch } = useQuery(dataSourceQuery(content.dataSourceId));
  const [isSqlShown, setIsSqlShown] = useIsSqlShown();
  if (source === undefined) {
    if (error === null) return <Waiting height={420} />;
    if (!isNotFound(error)) return <Failure error={error} retry={() => void refetch()} />;
    return (
      <EmptyState icon={IconDatabaseOff} title={t('You can’t see the data source of this report')}>
        {t(
          'It was deleted or isn’t shared with you, so you can’t edit the query. If it was deleted, you can’t save the report until the data source is restored. Ask the owner of the data source or an admin of the organization.',
        )}
      </EmptyState>
    );
  }
  const dialect = dialectOfKind[source.kind];
  const canStart = reportId === undefined || saved.structure !== undefined;
  const mode = isSqlShown ? 'sql' : editingModeOf(content, dialect, canStart);
  const back = () => {
    const { structure, query } = content;
    if (structure !== undefined && query === '') change(withStructure(content, structure, dialect));
    setIsSqlShown(false);
  };
  if (mode === 'sql') {
    return (
      <SqlPane
        report={report}
        back={
          <div>
            <ActionButton
              size="compact-sm"
              variant="subtle"
              leftSection={<IconArrowLeft size={16} aria-hidden />}
              reason={reasonAgainstBuilding(content, dialect, canStart)}
              onClick={back}
            >
              {t('Back to the builder')}
            </ActionButton>
          </div>
        }
      />
    );
  }
  const editAsSql = () => setIsSqlShown(true);
  return (
    <Suspense fallback={<Skeleton h={420} />}>
      {content.structure === undefined ? (
        <BuilderStart
          report={report}
          dialect={dialect}
          start={start}
          isFocused={hasChosen}
          onChosen={() => setHasChosen(true)}
          writeSql={editAsSql}
        />
      ) : (
        <BuilderPane
          isFocused={hasChosen}
          report={report}
          structure={content.structure}
          dialect={dialect}
          editAsSql={editAsSql}
          onChangeTable={() => setHasChosen(true)}
        />
      )}
    </Suspense>
  );
}

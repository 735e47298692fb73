import { useQuery } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import type { Visualization } from '#contract/reports/visualizations.ts';
import { suggestionFor, suggestVisualization } from '#charts/suggestion.ts';
import { t } from '#shared/language/messages.ts';
import type { ParameterValues } from '../../parameters/search.ts';
import { reportResultQuery } from '../../queries.ts';
import { QueryPane } from '../../query/QueryPane.tsx';
import type { SqlEditorActions } from '../../query/SqlEditor.tsx';
import { reasonAgainstRunning } from '../../reasons.ts';
import type { ReportContent } from '../content.ts';
import type { EditedReport } from '../edited-report.ts';
import classes from '../ReportEditor.module.css';
import { ResultPane } from '../ResultPane.tsx';
import { isSameRun } from './run.ts';
import { SettingsPane } from '../SettingsPane.tsx';
import { TablesPane } from './TablesPane.tsx';
import { usePreview } from './use-preview.ts';

/** A report as SQL: its tables, its query, its result and its settings. */
export function SqlPane({
  report: { organizationId, reportId, saved, content, change, saveError },
  back,
}: {
  readonly report: EditedReport;
  /** The way back to the query builder. */
  readonly back: ReactNode;
}): ReactNode {
  const [values, setValues] = useState<ParameterValues>({});
  // Until one is chosen, a new report gets the visualization that suits its result.
  const isChosen = useRef(reportId !== undefined || content.visualization.kind !== 'table');
  const editor = useRef<SqlEditorActions>(null);
  const changePart = (part: Partial<ReportContent>) => change(part, Object.keys(part).join(' '));
  const preview = usePreview(organizationId, content.query, ({ columns, rows }) => {
    if (!isChosen.current) changePart({ visualization: suggestVisualization(columns, rows) });
  });
  const run = () => {
    if (reasonAgainstRunning(content) !== undefined) return;
    const names = new Set(content.parameters.map(({ name }) => name));
    preview.run(content, Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name))));
  };
  const chooseVisualization = (visualization: Visualization) => {
    isChosen.current = true;
    changePart({ visualization });
  };
  // The result of the saved query, until another one is run.
  const savedResult = useQuery({
    ...reportResultQuery(reportId ?? '', {}),
    enabled: reportId !== undefined && saved.query === content.query && preview.result === undefined,
  });
  const result = preview.result ?? savedResult.data;
  const ran = preview.ran ?? { content: saved, values: {} };
  return (
    <div className={classes.layout}>
      <div className={classes.tables}>
        <TablesPane dataSourceId={content.dataSourceId} insert={(text) => editor.current?.insert(text)} />
      </div>
      <div className={classes.main}>
        {back}
        <QueryPane
          organizationId={organizationId}
          content={content}
          change={changePart}
          values={values}
          setValues={setValues}
          preview={preview}
          run={run}
          editor={editor}
        />
        <ResultPane
          name={content.name || t('Report')}
          visualization={content.visualization}
          preview={{ ...preview, result }}
          isOlder={!isSameRun(ran, { content, values })}
          run={run}
          reasonAgainstRunning={reasonAgainstRunning(content)}
        />
      </div>
      <div className={classes.settings}>
        <SettingsPane
          organizationId={organizationId}
          content={content}
          change={changePart}
          chooseVisualization={chooseVisualization}
          columns={result?.columns ?? []}
          suggestion={result && suggestionFor(content.visualization, result)}
          error={saveError ?? preview.error}
        />
      </div>
    </div>
  );
}

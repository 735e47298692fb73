import { Paper, Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Column } from '#contract/data-sources/data-sources.ts';
import type { Visualization } from '#contract/reports/visualizations.ts';
import { t } from '#shared/language/messages.ts';
import { DrillEditor } from '../drill/DrillEditor.tsx';
import { DetailFields } from './DetailFields.tsx';
import { ParametersEditor } from './ParametersEditor.tsx';
import type { ReportContent } from './content.ts';
import { VisualizationSettings } from '../../visualizations/settings/VisualizationSettings.tsx';

/** The settings of a report besides its query: chart, parameters, what a click offers, and details. */
export function SettingsPane({
  organizationId,
  content,
  change,
  chooseVisualization,
  columns,
  suggestion,
  error,
  isBuilt = false,
}: {
  readonly organizationId: string;
  readonly content: ReportContent;
  readonly change: (part: Partial<ReportContent>) => void;
  readonly chooseVisualization: (visualization: Visualization) => void;
  readonly columns: readonly Column[];
  readonly suggestion: Visualization | undefined;
  readonly error: unknown;
  /** Whether the query builder has the query, whose filters are the parameters. */
  readonly isBuilt?: boolean;
}): ReactNode {
  const { length } = content.parameters;
  return (
    <Paper withBorder p="sm" component="section" aria-label={t('Settings')}>
      <Tabs defaultValue="chart" keepMounted={false}>
        <Tabs.List mb="sm" grow>
          <Tabs.Tab value="chart">{t('Chart')}</Tabs.Tab>
          <Tabs.Tab value="parameters">
            {length === 0 ? t('Parameters') : t('Parameters ({length})', { length })}
          </Tabs.Tab>
          <Tabs.Tab value="clicks">{t('Clicks')}</Tabs.Tab>
          <Tabs.Tab value="details">{t('Details')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="chart">
          <VisualizationSettings
            visualization={content.visualization}
            columns={columns}
            suggestion={suggestion}
            onChange={chooseVisualization}
          />
        </Tabs.Panel>
        <Tabs.Panel value="parameters">
          <ParametersEditor
            parameters={content.parameters}
            onChange={(parameters) => change({ parameters })}
            error={error}
            isBuilt={isBuilt}
          />
        </Tabs.Panel>
        <Tabs.Panel value="clicks">
          <DrillEditor
            organizationId={organizationId}
            drill={content.drill ?? {}}
            isBuilt={content.structure !== undefined}
            result={{ columns }}
            onChange={(drill) => change({ drill })}
          />
        </Tabs.Panel>
        <Tabs.Panel value="details">
          <DetailFields content={content} change={change} />
        </Tabs.Panel>
      </Tabs>
    </Paper>
  );
}

import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { DrillTarget, ReportDrill } from '#contract/reports/drill.ts';
import { t } from '#shared/language/messages.ts';
import { without } from '../../visualizations/settings/without.ts';
import type { Result } from './mark-values.ts';
import { TargetEditor } from './TargetEditor.tsx';

const maxTargets = 20;

/** What a click on the chart of a report offers: its rows, and queries, reports and dashboards that the author chooses. */
export function DrillEditor({
  organizationId,
  drill,
  isBuilt,
  result,
  onChange,
}: {
  readonly organizationId: string;
  readonly drill: ReportDrill;
  /** Whether the query was built, so that the rows behind it are known. */
  readonly isBuilt: boolean;
  readonly result: Result;
  readonly onChange: (drill: ReportDrill) => void;
}): ReactNode {
  const targets = drill.targets ?? [];
  const setTargets = (changed: DrillTarget[]) => onChange({ ...drill, targets: changed });
  const add = (target: DrillTarget) => setTargets([...targets, target]);
  const isFull = targets.length >= maxTargets;
  return (
    <Stack gap="sm">
      <Checkbox
        label={t('Everyone can see the rows behind a value')}
        description={
          isBuilt
            ? t(
                'All columns of its tables that aren’t hidden, for everyone who can read this report. Editors always see all.',
              )
            : t('Only for reports that are built without SQL.')
        }
        disabled={!isBuilt}
        checked={drill.rows === 'everyone'}
        onChange={({ currentTarget }) =>
          onChange(currentTarget.checked ? { ...drill, rows: 'everyone' } : without(drill, 'rows'))
        }
      />
      <Text size="xs" c="dimmed">
        {t('Add queries, reports and dashboards that open with the value that someone clicked.')}
      </Text>
      {targets.map((target, index) => (
        <TargetEditor
          // Targets have no names of their own.
          key={index}
          legend={t('Link {number}', { number: index + 1 })}
          organizationId={organizationId}
          target={target}
          result={result}
          onChange={(changed) => setTargets(targets.with(index, changed))}
          remove={() => setTargets(targets.toSpliced(index, 1))}
        />
      ))}
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          disabled={isFull}
          onClick={() => add({ kind: 'query', label: t('Details'), query: 'SELECT 1', columns: {} })}
        >
          {t('Add a query')}
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={isFull}
          onClick={() => add({ kind: 'report', label: t('Open a report'), reportId: '', parameters: {} })}
        >
          {t('Add a report')}
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={isFull}
          onClick={() =>
            add({ kind: 'dashboard', label: t('Open a dashboard'), dashboardId: '', filters: {} })
          }
        >
          {t('Add a dashboard')}
        </Button>
      </Group>
    </Stack>
  );
}

import { Button, Radio, SimpleGrid, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import {
  IconChartArea,
  IconChartBar,
  IconChartDots,
  IconChartHistogram,
  IconChartLine,
  IconChartPie,
  IconGridDots,
  IconLetterCase,
  IconNumber123,
  IconSparkles,
  IconTable,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Visualization } from '#contract/reports/visualizations.ts';
import { kindLabels, toKind, type VisualizationKind } from '../kinds.ts';
import { CartesianSettings } from '../cartesian/CartesianSettings.tsx';
import { HeatMapSettings, ScatterSettings } from '../scatter/PointSettings.tsx';
import { TableSettings } from '../table/TableSettings.tsx';
import { NumberSettings } from '../number/NumberSettings.tsx';
import type { SettingsProps } from './settings-props.ts';
import { HistogramSettings, PieSettings, TextSettings } from '../pie/ValueSettings.tsx';
import classes from './VisualizationSettings.module.css';
import { withOptional } from './without.ts';

const icons = {
  table: IconTable,
  number: IconNumber123,
  bar: IconChartBar,
  line: IconChartLine,
  area: IconChartArea,
  pie: IconChartPie,
  scatter: IconChartDots,
  heatMap: IconGridDots,
  histogram: IconChartHistogram,
  text: IconLetterCase,
} as const;

// Sound because these are its own members.
const kinds = Object.keys(kindLabels) as VisualizationKind[];

/** How an answer is drawn. */
export function VisualizationSettings({
  suggestion,
  ...props
}: SettingsProps<Visualization> & { readonly suggestion: Visualization | undefined }): ReactNode {
  const { visualization, columns, onChange } = props;
  return (
    <Stack gap="sm">
      <Radio.Group
        label="Drawn as"
        size="xs"
        value={visualization.kind}
        onChange={(chosen) => {
          const kind = kinds.find((one) => one === chosen);
          const next = kind && toKind(visualization, kind, columns);
          if (next !== undefined) onChange(next);
        }}
      >
        <SimpleGrid cols={5} spacing={4} mt={4}>
          {kinds.map((kind) => (
            <KindCard
              key={kind}
              kind={kind}
              isOff={kind !== visualization.kind && toKind(visualization, kind, columns) === undefined}
            />
          ))}
        </SimpleGrid>
      </Radio.Group>
      {columns.length === 0 && (
        <Text size="xs" c="dimmed">
          Run the query: charts are chosen by the columns of its answer.
        </Text>
      )}
      {suggestion !== undefined && (
        <Button
          size="xs"
          variant="light"
          leftSection={<IconSparkles size={14} aria-hidden />}
          onClick={() => onChange(suggestion)}
        >
          {kindLabels[suggestion.kind]} would fit
        </Button>
      )}
      <TextInput
        label="Title"
        description="Left empty, the name of the report"
        size="xs"
        maxLength={1000}
        value={visualization.title ?? ''}
        onChange={(event) =>
          onChange(withOptional(visualization, 'title', event.currentTarget.value || undefined))
        }
      />
      <KindSettings {...props} />
    </Stack>
  );
}

function KindCard({ kind, isOff }: { readonly kind: VisualizationKind; readonly isOff: boolean }): ReactNode {
  const Icon = icons[kind];
  return (
    <Tooltip label={isOff ? `${kindLabels[kind]}: no column fits` : kindLabels[kind]}>
      <Radio.Card
        value={kind}
        aria-label={kindLabels[kind]}
        aria-disabled={isOff}
        data-off={isOff || undefined}
        className={classes.kind}
      >
        <Icon size={20} aria-hidden />
      </Radio.Card>
    </Tooltip>
  );
}

function KindSettings({ visualization, ...props }: SettingsProps<Visualization>): ReactNode {
  switch (visualization.kind) {
    case 'table':
      return <TableSettings visualization={visualization} {...props} />;
    case 'number':
      return <NumberSettings visualization={visualization} {...props} />;
    case 'bar':
    case 'line':
    case 'area':
      return <CartesianSettings visualization={visualization} {...props} />;
    case 'scatter':
      return <ScatterSettings visualization={visualization} {...props} />;
    case 'pie':
      return <PieSettings visualization={visualization} {...props} />;
    case 'heatMap':
      return <HeatMapSettings visualization={visualization} {...props} />;
    case 'histogram':
      return <HistogramSettings visualization={visualization} {...props} />;
    case 'text':
      return <TextSettings visualization={visualization} {...props} />;
  }
}

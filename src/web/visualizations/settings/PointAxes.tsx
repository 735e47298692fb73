import type { ReactNode } from 'react';
import { AxisFields } from './AxisFields.tsx';
import { More } from './More.tsx';
import type { Axis } from '#charts/drawing/chart.ts';
import { t } from '#shared/language/messages.ts';

/** The settings of the x and y axis of a scatter chart or heat map. */
export const PointAxes = ({
  xAxis,
  yAxis,
  onXAxis,
  onYAxis,
}: {
  readonly xAxis: Axis | undefined;
  readonly yAxis: Axis | undefined;
  readonly onXAxis: (axis: Axis | undefined) => void;
  readonly onYAxis: (axis: Axis | undefined) => void;
}): ReactNode => (
  <More label={t('Axes')}>
    <AxisFields name={t('X-axis')} axis={xAxis} isValueAxis={false} onChange={onXAxis} />
    <AxisFields name={t('Y-axis')} axis={yAxis} isValueAxis={false} onChange={onYAxis} />
  </More>
);

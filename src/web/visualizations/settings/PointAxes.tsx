import type { ReactNode } from 'react';
import { AxisFields } from './AxisFields.tsx';
import { More } from './More.tsx';
import type { OfKind } from '../kind.ts';

type Axis = OfKind<'scatter'>['xAxis'];

/** The axes of a chart of points or cells. */

export const PointAxes = ({
  across,
  up,
  onAcross,
  onUp,
}: {
  readonly across: Axis;
  readonly up: Axis;
  readonly onAcross: (axis: Axis) => void;
  readonly onUp: (axis: Axis) => void;
}): ReactNode => (
  <More label="Axes">
    <AxisFields name="X-axis" axis={across} isValueAxis={false} onChange={onAcross} />
    <AxisFields name="Y-axis" axis={up} isValueAxis={false} onChange={onUp} />
  </More>
);

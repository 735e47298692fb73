import { currentFormatter } from '../values/formats.ts';
import type { Cartesian, Shape } from './kind.ts';
import type { ChartSeries } from './series-points.ts';

export const isHorizontalBar = (visualization: Cartesian): boolean =>
  visualization.kind === 'bar' && visualization.isHorizontal === true;

/** Returns how a series is shown. */
export const shapeOf = (visualization: Cartesian, { description }: ChartSeries): Shape => {
  if (visualization.kind !== 'combo') return visualization.kind;
  return 'shape' in description ? (description.shape ?? 'bar') : 'bar';
};

/** Writes a share of 100%. */
export const percentOf = currentFormatter({ type: 'double' }, { kind: 'percent', decimals: 0 });

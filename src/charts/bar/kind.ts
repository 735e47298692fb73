import { cartesianKind } from '../cartesian/kind.ts';
import type { OfKind, VisualizationKind } from '../kind.ts';

export const bar: VisualizationKind<OfKind<'bar'>> = {
  ...cartesianKind,
  name: 'Bar chart',
};

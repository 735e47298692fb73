import { cartesianKind } from '../cartesian/kind.ts';
import type { OfKind, VisualizationKind } from '../kind.ts';

export const area: VisualizationKind<OfKind<'area'>> = {
  ...cartesianKind,
  name: 'Area chart',
};

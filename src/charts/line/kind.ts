import { cartesianKind } from '../cartesian/kind.ts';
import type { OfKind, VisualizationKind } from '../kind.ts';

export const line: VisualizationKind<OfKind<'line'>> = {
  ...cartesianKind,
  name: 'Line chart',
};

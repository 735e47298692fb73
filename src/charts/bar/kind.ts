import { t } from '#shared/language/messages.ts';
import { cartesianKind } from '../cartesian/kind.ts';
import type { OfKind, VisualizationKind } from '../kind.ts';

export const bar: VisualizationKind<OfKind<'bar'>> = {
  ...cartesianKind,
  name: t('Bar chart'),
};

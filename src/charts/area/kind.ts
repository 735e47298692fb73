import { t } from '#shared/language/messages.ts';
import { cartesianKind } from '../cartesian/kind.ts';
import type { OfKind, VisualizationKind } from '../kind.ts';

export const area: VisualizationKind<OfKind<'area'>> = {
  ...cartesianKind,
  name: t('Area chart'),
};

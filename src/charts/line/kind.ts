import { t } from '#shared/language/messages.ts';
import { cartesianKind } from '../cartesian/kind.ts';
import type { OfKind, VisualizationKind } from '../kind.ts';

export const line: VisualizationKind<OfKind<'line'>> = {
  ...cartesianKind,
  name: t('Line chart'),
};

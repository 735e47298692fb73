import { Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { choosePatterns, useHasPatterns } from '../../visualizations/echarts/pattern-choice.ts';

/** Whether the colors of charts have patterns, in this browser. */
export const ChartPatterns = (): ReactNode => (
  <Checkbox
    label={t('Show patterns in charts')}
    description={t(
      'Stripes, dots, dashes and symbols make colors distinguishable. This applies to charts in this browser.',
    )}
    checked={useHasPatterns()}
    onChange={(event) => choosePatterns(event.currentTarget.checked)}
  />
);

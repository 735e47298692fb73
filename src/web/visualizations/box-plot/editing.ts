import { IconChartCandleFilled } from '@tabler/icons-react';
import { defineEditing } from '../kind.ts';
import { BoxPlotSettings } from './BoxPlotSettings.tsx';

export default defineEditing('boxPlot', IconChartCandleFilled, BoxPlotSettings);

import { IconChartHistogram } from '@tabler/icons-react';
import { defineEditing } from '../kind.ts';
import { HistogramSettings } from './HistogramSettings.tsx';

export default defineEditing('histogram', IconChartHistogram, HistogramSettings);

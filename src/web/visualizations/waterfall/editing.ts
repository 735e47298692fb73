import { IconChartCandle } from '@tabler/icons-react';
import { defineEditing } from '../kind.ts';
import { WaterfallSettings } from './WaterfallSettings.tsx';

export default defineEditing('waterfall', IconChartCandle, WaterfallSettings);

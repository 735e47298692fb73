import { IconChartPie } from '@tabler/icons-react';
import { defineEditing } from '../kind.ts';
import { PieSettings } from './PieSettings.tsx';

export default defineEditing('pie', IconChartPie, PieSettings);

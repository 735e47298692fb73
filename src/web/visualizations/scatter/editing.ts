import { IconChartDots } from '@tabler/icons-react';
import { defineEditing } from '../kind.ts';
import { ScatterSettings } from './ScatterSettings.tsx';

export default defineEditing('scatter', IconChartDots, ScatterSettings);

import { IconChartTreemap } from '@tabler/icons-react';
import { defineEditing } from '../kind.ts';
import { TreemapSettings } from './TreemapSettings.tsx';

export default defineEditing('treemap', IconChartTreemap, TreemapSettings);

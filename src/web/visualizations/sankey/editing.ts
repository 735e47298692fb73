import { IconChartSankey } from '@tabler/icons-react';
import { defineEditing } from '../kind.ts';
import { SankeySettings } from './SankeySettings.tsx';

export default defineEditing('sankey', IconChartSankey, SankeySettings);

import { IconGridDots } from '@tabler/icons-react';
import { defineEditing } from '../kind.ts';
import { HeatMapSettings } from './HeatMapSettings.tsx';

export default defineEditing('heatMap', IconGridDots, HeatMapSettings);

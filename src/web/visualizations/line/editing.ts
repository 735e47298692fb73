import { IconChartLine } from '@tabler/icons-react';
import { defineEditing } from '../kind.ts';
import { CartesianSettings } from '../cartesian/CartesianSettings.tsx';

export default defineEditing('line', IconChartLine, CartesianSettings);

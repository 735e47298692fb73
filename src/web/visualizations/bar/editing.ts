import { IconChartBar } from '@tabler/icons-react';
import { defineEditing } from '../kind.ts';
import { CartesianSettings } from '../cartesian/CartesianSettings.tsx';

export default defineEditing('bar', IconChartBar, CartesianSettings);

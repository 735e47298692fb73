import { IconChartArea } from '@tabler/icons-react';
import { defineEditing } from '../kind.ts';
import { CartesianSettings } from '../cartesian/CartesianSettings.tsx';

export default defineEditing('area', IconChartArea, CartesianSettings);

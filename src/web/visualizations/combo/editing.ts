import { IconChartBarPopular } from '@tabler/icons-react';
import { defineEditing } from '../kind.ts';
import { CartesianSettings } from '../cartesian/CartesianSettings.tsx';

export default defineEditing('combo', IconChartBarPopular, CartesianSettings);

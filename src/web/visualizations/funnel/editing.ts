import { IconChartFunnel } from '@tabler/icons-react';
import { defineEditing } from '../kind.ts';
import { StepSettings } from '../settings/StepSettings.tsx';

export default defineEditing('funnel', IconChartFunnel, StepSettings);

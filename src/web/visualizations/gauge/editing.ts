import { IconGauge } from '@tabler/icons-react';
import { defineEditing } from '../kind.ts';
import { GaugeSettings } from './GaugeSettings.tsx';

export default defineEditing('gauge', IconGauge, GaugeSettings);

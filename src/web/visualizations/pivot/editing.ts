import { IconTablePlus } from '@tabler/icons-react';
import { defineEditing } from '../kind.ts';
import { PivotSettings } from './PivotSettings.tsx';

export default defineEditing('pivot', IconTablePlus, PivotSettings);

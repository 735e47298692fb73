import { IconTimeline } from '@tabler/icons-react';
import { defineEditing } from '../kind.ts';
import { GanttSettings } from './GanttSettings.tsx';

export default defineEditing('gantt', IconTimeline, GanttSettings);

import { IconCalendar } from '@tabler/icons-react';
import { defineEditing } from '../kind.ts';
import { CalendarSettings } from './CalendarSettings.tsx';

export default defineEditing('calendar', IconCalendar, CalendarSettings);

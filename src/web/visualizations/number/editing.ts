import { IconNumber123 } from '@tabler/icons-react';
import { defineEditing } from '../kind.ts';
import { NumberSettings } from './NumberSettings.tsx';

export default defineEditing('number', IconNumber123, NumberSettings);

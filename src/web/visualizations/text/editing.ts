import { IconLetterCase } from '@tabler/icons-react';
import { defineEditing } from '../kind.ts';
import { TextSettings } from './TextSettings.tsx';

export default defineEditing('text', IconLetterCase, TextSettings);

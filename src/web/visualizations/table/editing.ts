import { IconTable } from '@tabler/icons-react';
import { defineEditing } from '../kind.ts';
import { TableSettings } from './TableSettings.tsx';

export default defineEditing('table', IconTable, TableSettings);

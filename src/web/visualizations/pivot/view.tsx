import { lazy } from 'react';
import { loadChunk } from '../../ui/connection/chunks.ts';
import { defineView } from '../kind.ts';

const PivotTable = lazy(() => loadChunk('PivotTable', () => import('./PivotTable.tsx')));

export default defineView('pivot', (props) => <PivotTable {...props} />);

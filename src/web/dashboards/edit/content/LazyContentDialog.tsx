import { lazy } from 'react';
import { loadChunk } from '../../../ui/connection/chunks.ts';

/** Loaded when a widget without a report is added or edited. */
export const ContentDialog = lazy(async () => ({
  default: (await loadChunk('ContentDialog', () => import('./ContentDialog.tsx'))).ContentDialog,
}));

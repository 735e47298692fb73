import { lazy, Suspense, type ComponentProps, type ReactNode } from 'react';
import { loadChunk } from '../../ui/connection/chunks.ts';
import type { ExportDialog as Dialog } from './ExportDialog.tsx';

const ExportDialog = lazy(async () => ({
  default: (await loadChunk('ExportDialog', () => import('./ExportDialog.tsx'))).ExportDialog,
}));

/** `ExportDialog`, whose code loads when it opens for the first time, not with the dashboard. */
export const LazyExportDialog = (props: ComponentProps<typeof Dialog>): ReactNode =>
  props.opened && (
    <Suspense fallback={null}>
      <ExportDialog {...props} />
    </Suspense>
  );

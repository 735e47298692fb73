import { lazy } from 'react';

/** Few people import dashboards, and few of them often. */
export const ImportDialog = lazy(async () => ({
  default: (await import('./ImportDialog.tsx')).ImportDialog,
}));

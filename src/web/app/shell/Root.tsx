import { Outlet, useMatches } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Frame } from './Frame.tsx';
import { useRecovery } from './use-recovery.ts';

/** Renders a page, inside the frame unless it is bare. */
export function Root(): ReactNode {
  useRecovery();
  const isBare = useMatches({ select: (matches) => matches.some(({ staticData }) => staticData.isBare) });
  return isBare ? <Outlet /> : <Frame />;
}

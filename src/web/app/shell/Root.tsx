import { Outlet, useMatches } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Frame } from './Frame.tsx';

/** Every page, within its frame or bare. */
export function Root(): ReactNode {
  const isBare = useMatches({ select: (matches) => matches.some(({ staticData }) => staticData.isBare) });
  return isBare ? <Outlet /> : <Frame />;
}

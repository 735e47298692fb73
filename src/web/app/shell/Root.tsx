import { Outlet, useMatches } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Frame } from './Frame.tsx';

/** Renders a page, inside the frame unless it is bare. */
export function Root(): ReactNode {
  const isBare = useMatches({ select: (matches) => matches.some(({ staticData }) => staticData.isBare) });
  return isBare ? <Outlet /> : <Frame />;
}

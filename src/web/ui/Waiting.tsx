import { Skeleton, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';

/** The place of what is on its way, as high as that will be about, so that nothing jumps. */
export const Waiting = ({ height }: { readonly height: number }): ReactNode => (
  <div>
    <VisuallyHidden role="status">Loading</VisuallyHidden>
    <Skeleton h={height} aria-hidden />
  </div>
);

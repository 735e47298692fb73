import { Skeleton, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';

/** A placeholder for loading content, about as high as the content, so that the page doesn't shift. */
export const Waiting = ({ height }: { readonly height: number }): ReactNode => (
  <div>
    <VisuallyHidden role="status">Loading</VisuallyHidden>
    <Skeleton h={height} aria-hidden />
  </div>
);

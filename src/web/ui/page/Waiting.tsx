import { Skeleton, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';

/** A placeholder for loading content, about as high as the content, so that the page doesn't shift. */
export const Waiting = ({ height }: { readonly height: number }): ReactNode => (
  <div>
    <VisuallyHidden role="status">{t('Loading')}</VisuallyHidden>
    <Skeleton h={height} aria-hidden />
  </div>
);

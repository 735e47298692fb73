import { ActionIcon } from '@mantine/core';
import { IconMinus, IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import classes from './ZoomButtons.module.css';

const step = 1.6;

/** Buttons in the corner of a map, so that the wheel and the finger still scroll the page. */
export const ZoomButtons = ({ onZoom }: { readonly onZoom: (factor: number) => void }): ReactNode => (
  <ActionIcon.Group orientation="vertical" className={`${classes['buttons']} no-print`}>
    <ActionIcon variant="default" size="sm" aria-label={t('Zoom in')} onClick={() => onZoom(step)}>
      <IconPlus size={14} aria-hidden />
    </ActionIcon>
    <ActionIcon variant="default" size="sm" aria-label={t('Zoom out')} onClick={() => onZoom(1 / step)}>
      <IconMinus size={14} aria-hidden />
    </ActionIcon>
  </ActionIcon.Group>
);

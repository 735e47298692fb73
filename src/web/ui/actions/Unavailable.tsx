import { Tooltip } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';

/**
 * Shows why a control is unavailable, instead of hiding it. Give the control `data-disabled` and `aria-disabled`, not
 * `disabled`: a disabled control gets neither focus nor pointer events, so its tooltip would never show.
 */
export const Unavailable = ({
  reason,
  children,
}: {
  readonly reason: string | undefined;
  readonly children: ReactElement;
}): ReactNode =>
  reason === undefined ? (
    children
  ) : (
    <Tooltip label={reason} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
      {children}
    </Tooltip>
  );

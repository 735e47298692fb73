import { Tooltip } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';

/**
 * What cannot be done, with its reason, in the place of hiding it. Give the control `data-disabled` and
 * `aria-disabled`, not `disabled`: what is disabled takes neither focus nor a pointer, and so tells no reason.
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

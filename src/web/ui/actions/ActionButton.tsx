import { Button, type ButtonProps } from '@mantine/core';
import type { MouseEventHandler, ReactNode } from 'react';
import { Unavailable } from './Unavailable.tsx';

/** A button. If `reason` is given, it is disabled and shows it, but can still be focused. */
export function ActionButton({
  reason,
  onClick,
  children,
  ...props
}: Omit<ButtonProps, 'disabled'> & {
  readonly reason?: string | undefined;
  readonly onClick?: MouseEventHandler<HTMLButtonElement>;
  readonly children: ReactNode;
  readonly type?: 'button' | 'submit';
  readonly 'aria-label'?: string;
}): ReactNode {
  const isOff = reason !== undefined;
  return (
    <Unavailable reason={reason}>
      <Button
        type="button"
        {...props}
        {...(isOff && { 'data-disabled': true, 'aria-disabled': true })}
        onClick={isOff ? (event) => event.preventDefault() : onClick}
      >
        {children}
      </Button>
    </Unavailable>
  );
}

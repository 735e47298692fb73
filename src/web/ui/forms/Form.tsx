import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode, SubmitEvent } from 'react';
import { t } from '#shared/language/messages.ts';
import { ActionButton } from '../actions/ActionButton.tsx';
import { Failure } from '../problems/Failure.tsx';
import { isShownByFields } from '../problems/field-faults.ts';

/** Returns the text of the field with a name; empty when there is none. */
export type FieldReader = (name: string) => string;

/**
 * A form: its fields, the error of the last submission, and its buttons. The browser holds and checks what is typed, and the
 * server's faults are in the error; `@mantine/form` would hold both again, and add 17 kB to what the first page loads.
 */
export function Form({
  children,
  error,
  pointers = [],
  action,
  reason,
  isPending = false,
  isFullWidth = false,
  otherButton,
  onSubmit,
  onCancel,
}: {
  readonly children: ReactNode;
  readonly error?: unknown;
  /** The parts of the body whose faults the fields show themselves. */
  readonly pointers?: readonly string[];
  /** The label of the submit button. */
  readonly action: string;
  /** Why the form can't be submitted; undefined when it can. */
  readonly reason?: string | undefined;
  readonly isPending?: boolean;
  readonly isFullWidth?: boolean;
  /** Beside the submit button. */
  readonly otherButton?: ReactNode;
  readonly onSubmit: (field: FieldReader, form: HTMLFormElement) => void;
  /** For dialogs: shows a button that cancels. */
  readonly onCancel?: () => void;
}): ReactNode {
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    onSubmit((name) => {
      const value = data.get(name);
      return typeof value === 'string' ? value : '';
    }, form);
  };
  const button = (
    <ActionButton type="submit" reason={reason} loading={isPending}>
      {action}
    </ActionButton>
  );
  return (
    <form onSubmit={submit}>
      <Stack>
        {children}
        {error !== null && error !== undefined && !isShownByFields(error, pointers) && (
          <Failure error={error} />
        )}
        {isFullWidth ? (
          button
        ) : (
          <Group justify={onCancel && 'flex-end'}>
            {onCancel !== undefined && (
              <Button variant="default" onClick={onCancel}>
                {t('Cancel')}
              </Button>
            )}
            {button}
            {otherButton}
          </Group>
        )}
      </Stack>
    </form>
  );
}

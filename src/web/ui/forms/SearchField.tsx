import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';

/** A search field. Calls `onChange` after a short pause in typing, and when the field loses the focus. */
export function SearchField({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}): ReactNode {
  const [typed, setTyped] = useState<string>();
  const debouncedChange = useDebouncedCallback(onChange, { delay: 200, flushOnUnmount: false });
  const shown = typed ?? value;
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      maxLength={200}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        shown !== '' && (
          <CloseButton
            size="sm"
            aria-label={t('Clear search')}
            onClick={() => {
              setTyped('');
              onChange('');
            }}
          />
        )
      }
      value={shown}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        debouncedChange(event.currentTarget.value);
      }}
      onBlur={() => {
        debouncedChange.flush();
        setTyped(undefined);
      }}
    />
  );
}

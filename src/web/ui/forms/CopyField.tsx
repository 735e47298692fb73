import { Button, Group, TextInput, VisuallyHidden } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useRef, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';

/** The line is as high as the field: in a lower one, some fonts cut off underscores, with which DNS records start. */
const monospace = {
  fontFamily: 'var(--mantine-font-family-monospace)',
  fontSize: 13,
  lineHeight: '34px',
};

/** A read-only text with a button that copies it. */
export function CopyField({ label, value }: { readonly label: string; readonly value: string }): ReactNode {
  const clipboard = useClipboard({ timeout: 3_000 });
  const input = useRef<HTMLInputElement>(null);
  const copy = () => {
    clipboard.copy(value);
    // Over plain http, there is no clipboard API, but people can copy the selection by keyboard.
    input.current?.select();
  };
  return (
    <Group align="flex-end" gap="xs" wrap="nowrap">
      <TextInput
        ref={input}
        label={label}
        value={value}
        readOnly
        flex={1}
        styles={{ input: monospace }}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button variant="default" onClick={copy} w={88} px="xs">
        {clipboard.copied ? t('Copied') : t('Copy')}
        <VisuallyHidden> {label}</VisuallyHidden>
      </Button>
      <VisuallyHidden role="status">
        {clipboard.error === null
          ? clipboard.copied && t('{label} copied.', { label })
          : t('Press Ctrl+C to copy the selected text.')}
      </VisuallyHidden>
    </Group>
  );
}

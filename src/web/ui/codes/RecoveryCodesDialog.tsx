import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { ActionButton } from '../actions/ActionButton.tsx';
import { printText } from '../browser/print-text.ts';
import { saveFile } from '../browser/save-file.ts';
import classes from './RecoveryCodesDialog.module.css';

/**
 * Shows new recovery codes once, until their owner confirms having stored them. It can't be closed by accident: neither Escape nor
 * a click outside closes it, because the codes would be lost.
 */
export function RecoveryCodesDialog({
  description,
  heading,
  codes,
  onKept,
}: {
  readonly description: string;
  /** What the codes are for: the first lines of what is copied, saved and printed. */
  readonly heading: readonly string[];
  readonly codes: readonly string[];
  readonly onKept: () => void;
}): ReactNode {
  const [isKept, setKept] = useState(false);
  const clipboard = useClipboard({ timeout: 3_000 });
  const text = [...heading, '', ...codes, ''].join('\n');
  return (
    <Modal
      opened
      onClose={onKept}
      title={t('Recovery codes')}
      size="lg"
      centered
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <Stack>
        <Text>{description}</Text>
        <ul className={classes['codes']} aria-label={t('Recovery codes')}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <Group gap="xs">
          <Button variant="default" onClick={() => clipboard.copy(text)}>
            {clipboard.copied ? t('Copied') : t('Copy')}
          </Button>
          <Button
            variant="default"
            onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), 'atrium-recovery-codes.txt')}
          >
            {t('Download')}
          </Button>
          <Button variant="default" onClick={() => printText(text)}>
            {t('Print')}
          </Button>
        </Group>
        <Checkbox
          label={t('I have stored the codes')}
          checked={isKept}
          onChange={(event) => setKept(event.currentTarget.checked)}
        />
        <Group justify="flex-end">
          <ActionButton
            reason={isKept ? undefined : t('Store the codes, then check the box.')}
            onClick={onKept}
          >
            {t('Done')}
          </ActionButton>
        </Group>
      </Stack>
    </Modal>
  );
}

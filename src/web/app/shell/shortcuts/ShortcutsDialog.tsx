import { Group, Kbd, Modal, Stack, Switch, Table, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { commandKey, hasLetterShortcuts, storeLetterShortcuts, letterPlaces } from './keyboard.ts';

const everywhere = [
  { keys: [commandKey, 'K'], does: t('Search or run a command') },
  { keys: ['?'], does: t('Show these shortcuts') },
  ...letterPlaces.map(({ key, label }) => ({
    keys: ['G', key.toUpperCase()],
    does: t('Go to {label}', { label }),
  })),
];

const inEditors = [
  { keys: [commandKey, t('Enter')], does: t('Run a report') },
  { keys: [commandKey, 'Z'], does: t('Undo') },
  { keys: [commandKey, t('Shift'), 'Z'], does: t('Redo') },
];

/** Lists the keyboard shortcuts, and turns single-key ones on or off. */
export function ShortcutsDialog({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}): ReactNode {
  const [isOn, setIsOn] = useState(hasLetterShortcuts);
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('Keyboard shortcuts')} centered>
      <Stack>
        <Shortcuts title={t('Everywhere')} shortcuts={everywhere} />
        <Shortcuts title={t('While editing')} shortcuts={inEditors} />
        <Switch
          label={t('Single-key shortcuts')}
          description={t('Turn them off if you use voice input or press keys by accident.')}
          checked={isOn}
          onChange={(event) => {
            setIsOn(event.currentTarget.checked);
            storeLetterShortcuts(event.currentTarget.checked);
          }}
        />
      </Stack>
    </Modal>
  );
}

const Shortcuts = ({
  title,
  shortcuts,
}: {
  readonly title: string;
  readonly shortcuts: readonly { readonly keys: readonly string[]; readonly does: string }[];
}): ReactNode => (
  <Table withRowBorders={false} verticalSpacing={4} horizontalSpacing={0} captionSide="top">
    <Table.Caption ta="start" my={0}>
      {title}
    </Table.Caption>
    <Table.Tbody>
      {shortcuts.map(({ keys, does }) => (
        <Table.Tr key={does}>
          <Table.Td>
            <Text size="sm">{does}</Text>
          </Table.Td>
          <Table.Td>
            <Group gap={4} justify="flex-end">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </Group>
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);

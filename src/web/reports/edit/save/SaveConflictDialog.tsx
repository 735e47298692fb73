import { Button, Code, Fieldset, Group, Modal, Radio, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { ReportEdit } from '#contract/reports/reports.ts';
import { labelOf, resolve, textOf, type SaveConflict, type Side } from './conflict.ts';

/** Two people changed the same: whose it is to be, part by part. Nothing is stored, and nothing lost, until then. */
export function SaveConflictDialog({
  conflict,
  isSaving,
  save,
  close,
}: {
  readonly conflict: SaveConflict;
  readonly isSaving: boolean;
  readonly save: (edit: ReportEdit, etag: string) => void;
  readonly close: () => void;
}): ReactNode {
  const [choices, setChoices] = useState<Readonly<Record<string, Side>>>({});
  const isChosen = conflict.conflicts.every(({ pointer }) => choices[pointer] !== undefined);
  return (
    <Modal opened onClose={close} size="xl" title="Somebody else has changed the same">
      <Stack>
        <Text size="sm">
          Since you began, another person has saved this report. What only one of you changed is put together
          already. Choose for the rest.
        </Text>
        {conflict.conflicts.map(({ pointer, mine, theirs }) => (
          <Fieldset key={pointer} legend={labelOf(pointer)}>
            <Radio.Group
              aria-label={labelOf(pointer)}
              value={choices[pointer] ?? null}
              onChange={(side) => setChoices({ ...choices, [pointer]: side === 'mine' ? 'mine' : 'theirs' })}
            >
              <SimpleGrid cols={{ base: 1, sm: 2 }}>
                <SideText side="mine" label="Mine" value={mine} />
                <SideText side="theirs" label="Theirs" value={theirs} />
              </SimpleGrid>
            </Radio.Group>
          </Fieldset>
        ))}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Back to the editor
          </Button>
          <Button
            disabled={!isChosen}
            loading={isSaving}
            onClick={() => save(resolve(conflict, choices), conflict.etag)}
          >
            Save as chosen
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

const SideText = ({
  side,
  label,
  value,
}: {
  readonly side: Side;
  readonly label: string;
  readonly value: unknown;
}): ReactNode => (
  <div>
    <Radio value={side} label={label} mb={4} />
    <Code block mah={220} style={{ overflow: 'auto', overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
      {textOf(value)}
    </Code>
  </div>
);

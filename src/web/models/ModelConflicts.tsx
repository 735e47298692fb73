import { Group, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import type { Choices } from '../drafts/conflict/conflict.ts';
import { ConflictCard } from '../drafts/conflict/ConflictCard.tsx';
import { ActionButton } from '../ui/actions/ActionButton.tsx';
import { Page } from '../ui/page/Page.tsx';
import type { MergedModel } from './merge.ts';

/** Asks which side to use where somebody else has changed the same part of a description. */
export function ModelConflicts({
  merged: { conflicts },
  isSaving,
  onResolve,
}: {
  readonly merged: MergedModel;
  readonly isSaving: boolean;
  readonly onResolve: (choices: Choices) => void;
}): ReactNode {
  const [choices, setChoices] = useState<Choices>(new Map());
  const open = conflicts.filter(({ key }) => !choices.has(key)).length;
  return (
    <Page
      title={t('Conflicting changes')}
      description={t(
        'Somebody else saved this description while you were editing. Changes that only one of you made are merged. Choose which to use for the rest.',
      )}
      size="md"
    >
      <Stack>
        {conflicts.map((item) => (
          <ConflictCard
            key={item.key}
            item={item}
            others="saved"
            choice={choices.get(item.key)}
            onChoose={(side) => setChoices(new Map(choices).set(item.key, side))}
          />
        ))}
        <Group justify="flex-end">
          <Text size="sm" c="dimmed" role="status" mr="auto">
            {open === 0
              ? t('Nothing left to choose')
              : t('{open} of {count} left to choose', { open, count: conflicts.length })}
          </Text>
          <ActionButton
            loading={isSaving}
            reason={open === 0 ? undefined : t('Choose a side for each conflict first.')}
            onClick={() => onResolve(choices)}
          >
            {t('Save choices')}
          </ActionButton>
        </Group>
      </Stack>
    </Page>
  );
}

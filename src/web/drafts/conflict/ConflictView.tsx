import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { versionsQuery, type RecordRef } from '../../history/queries.ts';
import { versionOf } from '../../history/version-of.ts';
import { ActionButton } from '../../ui/actions/ActionButton.tsx';
import { Page } from '../../ui/page/Page.tsx';
import type { Choices, ConflictItem, Side } from './conflict.ts';
import { ConflictCard } from './ConflictCard.tsx';

/** Asks which side to use for each conflict. The draft is unchanged until the choices are saved. */
export function ConflictView({
  record,
  baseEtag,
  items,
  isSaving,
  onBack,
  onSave,
}: {
  readonly record: RecordRef;
  readonly baseEtag: string;
  readonly items: readonly ConflictItem[];
  readonly isSaving: boolean;
  readonly onBack: () => void;
  readonly onSave: (choices: Choices) => void;
}): ReactNode {
  const [choices, setChoices] = useState<Choices>(new Map());
  const versions = useInfiniteQuery(versionsQuery(record));
  const newest = versions.data?.pages.flatMap(({ items }) => items) ?? [];
  const since = newest.filter(({ version }) => version > versionOf(baseEtag));
  const others = [...new Set(since.map(({ userName }) => userName))].join(', ') || t('Others');
  const open = items.filter(({ key }) => !choices.has(key)).length;
  const chooseAll = (side: Side) => setChoices(new Map(items.map(({ key }) => [key, side])));
  return (
    <Page
      title={t('Conflicting changes')}
      description={t(
        '{others} saved while you were editing. Changes that only one of you made are already merged. Choose which to use for the rest.',
        { others },
      )}
      size="md"
    >
      <Stack>
        <Alert>
          {t('Your draft is saved in this browser. Nothing else is saved until you have chosen.')}
        </Alert>
        {items.length > 1 && (
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={() => chooseAll('mine')}>
              {t('Use mine for all')}
            </Button>
            <Button size="xs" variant="default" onClick={() => chooseAll('theirs')}>
              {t('Use theirs for all')}
            </Button>
          </Group>
        )}
        {items.map((item) => (
          <ConflictCard
            key={item.key}
            item={item}
            others={others}
            choice={choices.get(item.key)}
            onChoose={(side) => setChoices(new Map(choices).set(item.key, side))}
          />
        ))}
        <Group justify="flex-end">
          <Text size="sm" c="dimmed" role="status" mr="auto">
            {open === 0
              ? t('Nothing left to choose')
              : t('{open} of {count} left to choose', { open, count: items.length })}
          </Text>
          <Button variant="default" onClick={onBack}>
            {t('Back to editing')}
          </Button>
          <ActionButton
            loading={isSaving}
            reason={open === 0 ? undefined : t('Choose a side for each conflict first.')}
            onClick={() => onSave(choices)}
          >
            {t('Save choices')}
          </ActionButton>
        </Group>
      </Stack>
    </Page>
  );
}

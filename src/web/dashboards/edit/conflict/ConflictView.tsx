import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { Page } from '../../../ui/Page.tsx';
import { applyChoices, itemsOf, type ConflictItem, type EditConflict, type Side } from './choices.ts';
import { ConflictCard } from './ConflictCard.tsx';
import { titleOf, type DraftContent } from '../draft/content.ts';
import { versionsQuery } from '../../../history/queries.ts';
import { versionOf } from '../../../history/version-of.ts';

/** What others changed as well: mine, theirs or both, one thing after the other. The edit waits, as it is. */
export function ConflictView({
  dashboardId,
  baseEtag,
  conflict,
  nameOfReport,
  isSaving,
  onBack,
  onSave,
}: {
  readonly dashboardId: string;
  readonly baseEtag: string;
  readonly conflict: EditConflict;
  readonly nameOfReport: (reportId: string) => string;
  readonly isSaving: boolean;
  readonly onBack: () => void;
  readonly onSave: (content: DraftContent, etag: string) => void;
}): ReactNode {
  const [choices, setChoices] = useState<ReadonlyMap<string, Side>>(new Map());
  const versions = useInfiniteQuery(versionsQuery({ kind: 'dashboard', id: dashboardId }));
  const newest = versions.data?.pages.flatMap(({ items }) => items) ?? [];
  const since = newest.filter(({ version }) => version > versionOf(baseEtag));
  const others = [...new Set(since.map(({ userName }) => userName))].join(', ') || 'Others';
  const items = itemsOf(conflict);
  const open = items.filter(({ key }) => !choices.has(key)).length;
  const chooseAll = (side: Side) => setChoices(new Map(items.map(({ key }) => [key, side])));
  return (
    <Page
      title="Others have changed the same"
      description={`${others} saved while you were editing. What only one of you changed is merged already; choose for the rest.`}
      size="md"
    >
      <Stack>
        <Alert>Your edit is kept on this machine. Nothing is saved until you have chosen.</Alert>
        {items.length > 1 && (
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={() => chooseAll('mine')}>
              Mine for all
            </Button>
            <Button size="xs" variant="default" onClick={() => chooseAll('theirs')}>
              Theirs for all
            </Button>
          </Group>
        )}
        {items.map((item) => (
          <ConflictCard
            key={item.key}
            item={item}
            title={titleOfItem(conflict, item, nameOfReport)}
            others={others}
            nameOfReport={nameOfReport}
            choice={choices.get(item.key)}
            onChoose={(side) => setChoices(new Map(choices).set(item.key, side))}
          />
        ))}
        <Group justify="flex-end">
          <Text size="sm" c="dimmed" role="status" mr="auto">
            {open === 0 ? 'All is chosen.' : `${open} of ${items.length} left to choose`}
          </Text>
          <Button variant="default" onClick={onBack}>
            Back to my edit
          </Button>
          <ActionButton
            loading={isSaving}
            reason={open === 0 ? undefined : 'First choose for each.'}
            onClick={() => onSave(applyChoices(conflict, choices), conflict.etag)}
          >
            Save what I chose
          </ActionButton>
        </Group>
      </Stack>
    </Page>
  );
}

function titleOfItem(
  { merged }: EditConflict,
  { key }: ConflictItem,
  nameOfReport: (reportId: string) => string,
): string {
  if (key === 'name') return 'The name of the dashboard';
  if (key === 'description') return 'The description of the dashboard';
  const widget = merged.widgets.find(({ id }) => id === key);
  if (widget === undefined) return 'A widget';
  return `The widget ${titleOf({ config: widget.config ?? {} }) ?? nameOfReport(widget.reportId)}`;
}

import { ActionIcon, Button, Group, Text, Title, Tooltip } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { IconLayoutDashboard, IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { EditingPerson } from '#contract/dashboards/events.ts';
import { t } from '#shared/language/messages.ts';
import { draftStatus } from '../../drafts/DraftNotices.tsx';
import { UndoButtons } from '../../drafts/UndoButtons.tsx';
import { ActionButton } from '../../ui/actions/ActionButton.tsx';
import { EditingPeople } from './EditingPeople.tsx';
import classes from './EditorToolbar.module.css';
import type { DashboardDraft } from './draft/kind.ts';
import { AddSectionMenu } from './sections/AddSectionMenu.tsx';
import type { SectionQuestion } from './sections/questions.ts';
import type { Saving } from './draft/use-saving.ts';

/** The actions for the whole dashboard, always visible, and whether the draft is saved. */
export function EditorToolbar({
  draft,
  saving,
  people,
  openTab,
  onAdd,
  onAsk,
  onTidyUp,
  onUndo,
  onRedo,
  onSave,
  onLeave,
}: {
  readonly draft: DashboardDraft;
  readonly saving: Saving;
  readonly people: readonly EditingPerson[];
  /** The key of the open tab; empty if there are no tabs. */
  readonly openTab: string;
  readonly onAdd: () => void;
  readonly onAsk: (question: SectionQuestion) => void;
  readonly onTidyUp: () => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  readonly onSave: () => void;
  readonly onLeave: () => void;
}): ReactNode {
  useDocumentTitle(t('Edit {name} · Atrium', { name: draft.present.name }));
  return (
    <Group className={classes['toolbar'] ?? ''} gap="xs">
      <Title order={1} fz="h4" mr="auto" className={classes['title'] ?? ''}>
        {t('Edit dashboard')}
      </Title>
      <EditingPeople people={people} />
      <Text size="sm" c="dimmed" role="status">
        {draftStatus(draft, saving.isSaving)}
      </Text>
      <UndoButtons draft={draft} onUndo={onUndo} onRedo={onRedo} />
      <Tooltip label={t('Close the gaps between the widgets')}>
        <ActionIcon variant="default" size={36} aria-label={t('Tidy up')} onClick={onTidyUp}>
          <IconLayoutDashboard size={18} />
        </ActionIcon>
      </Tooltip>
      <Button variant="default" leftSection={<IconPlus size={16} />} px="sm" onClick={onAdd}>
        {t('Add widget')}
      </Button>
      <AddSectionMenu openTab={openTab} onAsk={onAsk} />
      <Tooltip
        label={t('Your changes stay in this browser as a draft.')}
        disabled={!draft.isDirty}
        events={{ hover: true, focus: true, touch: true }}
      >
        <Button variant="default" px="sm" onClick={onLeave}>
          {t('Close')}
        </Button>
      </Tooltip>
      <ActionButton reason={reasonAgainstSaving(draft)} loading={saving.isSaving} onClick={onSave}>
        {t('Save')}
      </ActionButton>
    </Group>
  );
}

const reasonAgainstSaving = ({ isDirty, present }: DashboardDraft): string | undefined => {
  if (!isDirty) return t('There are no changes to save.');
  return present.name === '' ? t('Enter a name first.') : undefined;
};

import { Modal } from '@mantine/core';
import type { Dispatch, ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import {
  isContainer,
  keysOf,
  sectionSettingsOf,
  containerTitleOf,
  tabWidgetId,
  topLevel,
} from '#shared/sections/structure.ts';
import type { EditAction } from '../../../drafts/undo-history.ts';
import { randomId } from '../../../../client/random-id.ts';
import {
  addSection,
  addTab,
  changeContainer,
  moveSection,
  newContainerKey,
  removeContainer,
  type ContainerSettings,
} from '../draft/containers.ts';
import type { DraftContent } from '../draft/content.ts';
import { parentOf } from '../draft/grids.ts';
import { moveToGrid, placesIn } from '../draft/moving.ts';
import { ContainerForm, type RepeatingFilter } from './ContainerForm.tsx';
import { DeleteContainerForm } from './DeleteContainerForm.tsx';
import { PlaceList } from './PlaceList.tsx';
import type { SectionQuestion } from './questions.ts';

/** The dialogs that add, change, move and delete tabs and sections, and move widgets to them. */
export function SectionDialogs({
  question,
  content,
  filters,
  hasFocusElsewhere,
  dispatch,
  onClose,
  onMoved,
  onOpenTab,
}: {
  readonly question: SectionQuestion | undefined;
  readonly content: DraftContent;
  readonly filters: readonly RepeatingFilter[];
  readonly dispatch: Dispatch<EditAction<DraftContent>>;
  readonly onClose: () => void;
  /** Whether something was added or moved, which gets the focus instead of the menu that opened the dialog. */
  readonly hasFocusElsewhere: boolean;
  /** Gets the draft key of a new tab or section, and of what was moved. */
  readonly onMoved: (key: string) => void;
  /** Gets the key of a tab to open. */
  readonly onOpenTab: (key: string) => void;
}): ReactNode {
  const asked = question !== undefined && 'key' in question ? question.key : undefined;
  const widget = content.widgets.find(({ key }) => key === asked);
  const isTab = question?.kind === 'add-tab' || widget?.reportId === tabWidgetId;
  const apply = (change: (content: DraftContent) => DraftContent) => {
    dispatch({ type: 'change', change });
    onClose();
  };
  const add = (settings: ContainerSettings) => {
    const key = randomId();
    apply((before) =>
      question?.kind === 'add-section'
        ? addSection(before, question.parent, key, settings)
        : addTab(before, key, settings),
    );
    onMoved(key);
    if (isTab) onOpenTab(newContainerKey(settings.title, key));
  };
  const isAdding = question?.kind === 'add-tab' || question?.kind === 'add-section';
  const form = () => {
    if (isAdding) {
      const settings = { title: '' };
      return <ContainerForm {...{ isTab, settings, filters, onClose }} action={t('Add')} onSubmit={add} />;
    }
    if (question === undefined || widget === undefined) return null;
    const { key } = widget;
    if (question.kind === 'edit') {
      const settings = { title: containerTitleOf(widget), ...sectionSettingsOf(widget) };
      return (
        <ContainerForm
          {...{ isTab, settings, filters, onClose }}
          action={t('Apply')}
          onSubmit={(changed) => apply((before) => changeContainer(before, key, changed))}
        />
      );
    }
    if (question.kind === 'delete') {
      return (
        <DeleteContainerForm
          {...{ content, widget, onClose }}
          onSubmit={(to) => apply((before) => removeContainer(before, key, to))}
        />
      );
    }
    const isSection = isContainer(widget);
    const current = parentOf(content.widgets, key);
    const places = placesIn(content.widgets).filter(({ kind }) => !isSection || kind !== 'section');
    return (
      <PlaceList
        places={
          isSection && places[0] ? [{ ...places[0], name: t('Above the tabs') }, ...places.slice(1)] : places
        }
        current={current}
        onChoose={(to) => {
          apply((before) => (isSection ? moveSection(before, key, to) : moveToGrid(before, key, to)));
          onMoved(key);
          const tab = tabAround(content, to);
          if (tab !== undefined) onOpenTab(tab);
        }}
      />
    );
  };
  const title = {
    'add-tab': t('Add a tab'),
    'add-section': t('Add a section'),
    edit: isTab ? t('Edit tab') : t('Edit section'),
    delete: isTab ? t('Delete tab') : t('Delete section'),
    move: widget !== undefined && isContainer(widget) ? t('Move section') : t('Move widget'),
  };
  return (
    <Modal
      opened={isAdding || widget !== undefined}
      onClose={onClose}
      title={question && title[question.kind]}
      returnFocus={!hasFocusElsewhere}
    >
      {form()}
    </Modal>
  );
}

/** Returns the key of the tab that is, or is around, the place with a key; undefined above the tabs. */
function tabAround({ widgets }: DraftContent, place: string): string | undefined {
  const found = [...keysOf(widgets)].find(([, key]) => key === place)?.[0];
  if (found === undefined) return undefined;
  if (found.reportId === tabWidgetId) return place;
  const parent = parentOf(widgets, found.key);
  return parent === topLevel ? undefined : parent;
}

import { NativeSelect, Radio, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { withVisibleLayouts } from '#shared/grid/visible-layouts.ts';
import { t } from '#shared/language/messages.ts';
import { listFormat } from '#shared/region/intl.ts';
import { containerTitleOf, keysOf, structureOf, tabWidgetId } from '#shared/sections/structure.ts';
import { Form } from '../../../ui/forms/Form.tsx';
import type { DraftContent, DraftWidget } from '../draft/content.ts';
import { parentOf } from '../draft/grids.ts';
import { placesIn } from '../draft/moving.ts';

/** Asks what happens to the widgets of a tab or section that is deleted. */
export function DeleteContainerForm({
  content,
  widget,
  onSubmit,
  onClose,
}: {
  readonly content: DraftContent;
  readonly widget: DraftWidget;
  /** Gets the key of the grid that its widgets move to; undefined if they are deleted, too. */
  readonly onSubmit: (to: string | undefined) => void;
  readonly onClose: () => void;
}): ReactNode {
  const isTab = widget.reportId === tabWidgetId;
  const own = keysOf(content.widgets).get(widget);
  const { sections, tabs } = structureOf(content.widgets);
  const tab = tabs.find(({ key }) => key === own);
  const section = [...sections, ...tabs.flatMap((each) => each.sections)].find(({ key }) => key === own);
  const grids = tab === undefined ? (section === undefined ? [] : [section]) : [tab, ...tab.sections];
  const count = grids.reduce((sum, { widgets }) => sum + withVisibleLayouts(widgets).length, 0);
  const places = placesIn(content.widgets).filter(
    ({ key, kind }) => key !== own && (!isTab || kind !== 'section'),
  );
  const [isMoving, setIsMoving] = useState(true);
  const [to, setTo] = useState(parentOf(content.widgets, widget.key));
  const hasContent = count > 0 || (tab !== undefined && tab.sections.length > 0);
  const what = contentInWords(count, tab?.sections.length ?? 0);
  const name = containerTitleOf(widget) || t('without a title');
  return (
    <Form
      action={t('Delete')}
      onSubmit={() => onSubmit(hasContent && isMoving ? to : undefined)}
      onCancel={onClose}
    >
      <Text size="sm">
        {hasContent
          ? isTab
            ? t('The tab “{name}” has {what}. You can undo this.', { name, what })
            : t('The section “{name}” has {what}. You can undo this.', { name, what })
          : isTab
            ? t('The tab “{name}” is empty. You can undo this.', { name })
            : t('The section “{name}” is empty. You can undo this.', { name })}
      </Text>
      {hasContent && (
        <Radio.Group
          label={t('What happens to its content?')}
          value={isMoving ? 'move' : 'delete'}
          onChange={(value) => setIsMoving(value === 'move')}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="move" label={t('Move {what} to another place', { what })} data-autofocus />
            {isMoving && (
              <NativeSelect
                label={t('Move to')}
                ml={30}
                value={to}
                data={places.map(({ key, name }) => ({ value: key, label: name }))}
                onChange={(event) => setTo(event.currentTarget.value)}
              />
            )}
            <Radio value="delete" label={t('Delete {what}', { what })} />
          </Stack>
        </Radio.Group>
      )}
    </Form>
  );
}

const contentInWords = (widgets: number, sections: number): string =>
  listFormat().format([
    ...(widgets > 0 ? [t('{widgets, plural, one {# widget} other {# widgets}}', { widgets })] : []),
    ...(sections > 0 ? [t('{sections, plural, one {# section} other {# sections}}', { sections })] : []),
  ]);

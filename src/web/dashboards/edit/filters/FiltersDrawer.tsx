import { ActionIcon, Button, Checkbox, Drawer, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState, type Dispatch, type ReactNode } from 'react';
import { filtersOfWidgets, labelOf, type FilterDefinition } from '#shared/dashboard-filters/definitions.ts';
import type { Calendar } from '#shared/dates/days.ts';
import { t } from '#shared/language/messages.ts';
import type { EditAction } from '../../../drafts/undo-history.ts';
import { randomId } from '../../../../client/random-id.ts';
import type { DraftContent } from '../draft/content.ts';
import {
  suggestedFilters,
  withFilter,
  withFilters,
  withMovedFilter,
  withoutFilter,
  type FilteredWidget,
} from './draft-filters.ts';
import { FilterForm } from './FilterForm.tsx';
import { kindLabels } from './kind-labels.ts';

/** Adds, changes, orders and removes the filters of a dashboard. Each step can be undone. */
export function FiltersDrawer({
  opened,
  content,
  dispatch,
  widgets,
  calendar,
  onClose,
}: {
  readonly opened: boolean;
  readonly content: DraftContent;
  readonly dispatch: Dispatch<EditAction<DraftContent>>;
  readonly widgets: readonly FilteredWidget[];
  readonly calendar: Omit<Calendar, 'now'>;
  readonly onClose: () => void;
}): ReactNode {
  const [editing, setEditing] = useState<{ readonly before?: string; readonly filter: FilterDefinition }>();
  const [announcement, setAnnouncement] = useState('');
  const dashboard = filtersOfWidgets(content.widgets);
  const suggested = suggestedFilters(
    widgets.flatMap(({ line }) => line ?? []),
    dashboard,
  );
  const change = (edit: (content: DraftContent) => DraftContent, text: string) => {
    dispatch({ type: 'change', change: edit });
    setAnnouncement(text);
  };
  return (
    <Drawer opened={opened} onClose={onClose} position="right" title={t('Filters')} size="lg">
      {editing === undefined ? (
        <Stack>
          {dashboard.filters.length === 0 && (
            <Text size="sm" c="dimmed">
              {t(
                'Parameters of the reports are filters by themselves. Define a filter to give it a label, a default or presets, to let one depend on another, or to choose its widgets.',
              )}
            </Text>
          )}
          <Stack gap={4} component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t('Filters')}>
            {dashboard.filters.map((filter) => {
              const label = labelOf(filter);
              const icon = { variant: 'subtle', color: 'gray' } as const;
              return (
                <Group key={filter.name} component="li" gap={4} wrap="nowrap">
                  <Text size="sm" flex={1} truncate>
                    {label}{' '}
                    <Text span c="dimmed" size="sm">
                      {kindLabels[filter.kind]}
                    </Text>
                  </Text>
                  <ActionIcon
                    {...icon}
                    aria-label={t('Move {label} up', { label })}
                    onClick={() =>
                      change(
                        (now) => withMovedFilter(now, filter.name, -1),
                        t('Moved {label} up.', { label }),
                      )
                    }
                  >
                    <IconArrowUp size={16} />
                  </ActionIcon>
                  <ActionIcon
                    {...icon}
                    aria-label={t('Move {label} down', { label })}
                    onClick={() =>
                      change(
                        (now) => withMovedFilter(now, filter.name, 1),
                        t('Moved {label} down.', { label }),
                      )
                    }
                  >
                    <IconArrowDown size={16} />
                  </ActionIcon>
                  <ActionIcon
                    {...icon}
                    aria-label={t('Edit {label}', { label })}
                    onClick={() => setEditing({ before: filter.name, filter })}
                  >
                    <IconPencil size={16} />
                  </ActionIcon>
                  <ActionIcon
                    {...icon}
                    aria-label={t('Remove {label}', { label })}
                    onClick={() =>
                      change((now) => withoutFilter(now, filter.name), t('Removed {label}.', { label }))
                    }
                  >
                    <IconTrash size={16} />
                  </ActionIcon>
                </Group>
              );
            })}
          </Stack>
          <Text size="sm" fw={600}>
            {t('Add a filter')}
          </Text>
          <Group gap="xs">
            {suggested.map((filter) => (
              <Button
                key={filter.name}
                size="xs"
                variant="light"
                leftSection={<IconPlus size={14} />}
                onClick={() => setEditing({ filter })}
              >
                {labelOf(filter)}
              </Button>
            ))}
            <Button
              size="xs"
              variant="default"
              leftSection={<IconPlus size={14} />}
              onClick={() => setEditing({ filter: { name: '', kind: 'text' } })}
            >
              {t('Other filter')}
            </Button>
          </Group>
          <Checkbox
            label={t('Apply changes together')}
            description={t('Readers change several filters, and then apply them with a button.')}
            disabled={dashboard.filters.length === 0}
            checked={dashboard.appliesTogether}
            onChange={({ currentTarget: { checked: appliesTogether } }) =>
              change((now) => withFilters(now, '', { ...filtersOfWidgets(now.widgets), appliesTogether }), '')
            }
          />
          <VisuallyHidden role="status">{announcement}</VisuallyHidden>
        </Stack>
      ) : (
        <FilterForm
          {...editing}
          others={dashboard.filters.filter(({ name }) => name !== editing.before)}
          widgets={widgets}
          calendar={calendar}
          onCancel={() => setEditing(undefined)}
          onApply={(filter, targets) => {
            const key = randomId();
            change(
              (now) => withFilter(now, key, { before: editing.before, filter, targets }),
              editing.before === undefined
                ? t('Added {filter}.', { filter: labelOf(filter) })
                : t('Changed {filter}.', { filter: labelOf(filter) }),
            );
            setEditing(undefined);
          }}
        />
      )}
    </Drawer>
  );
}

import { Badge, Button, Drawer, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconFilter, IconFilterOff } from '@tabler/icons-react';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { labelOf } from '#shared/dashboard-filters/definitions.ts';
import type { Calendar } from '#shared/dates/days.ts';
import { givenIn, type Search } from '../../ui/browser/search.ts';
import toolbar from '../view/DashboardToolbar.module.css';
import { narrowWindow } from '../view/narrow-window.ts';
import type { DashboardFilter } from '#shared/dashboard-filters/filter-list.ts';
import { t } from '#shared/language/messages.ts';
import { hasValue, isChanged } from './filters.ts';
import classes from './FilterBar.module.css';
import { FilterField } from './FilterField.tsx';
import { useFilterChanges } from './use-filter-changes.ts';

/** A control for each filter of a dashboard; on a phone, in a sheet. Changes apply immediately, or together with a button. */
export function FilterBar({
  filters,
  values,
  calendar,
  appliesTogether,
  onChange,
  onHighlight,
}: {
  readonly filters: readonly DashboardFilter[];
  readonly values: Search;
  readonly calendar: Omit<Calendar, 'now'>;
  readonly appliesTogether: boolean;
  /** Gets the filters that change; undefined resets one to its default. */
  readonly onChange: (changed: Search) => void | Promise<void>;
  /** Gets the name of the filter that the pointer or the focus is on. */
  readonly onHighlight?: (name: string | undefined) => void;
}): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const isNarrow = useMediaQuery(narrowWindow, undefined, { getInitialValueInEffect: false });
  const context = { filters, values, calendar };
  const { shown, pending, misfits, change, apply, discard } = useFilterChanges(
    context,
    appliesTogether,
    onChange,
  );
  if (filters.length === 0) return null;
  const changed = filters.filter((filter) => isChanged(filter, shown));
  const close = () => setIsOpen(false);
  const applyAndClose = () => {
    apply();
    close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && pending.length > 0) applyAndClose();
  };
  const fields = filters.map((filter) => (
    <FilterField
      key={filter.name}
      filter={filter}
      value={givenIn(shown, filter.name)}
      context={{ ...context, values: shown }}
      onChange={(value) => change({ [filter.name]: value })}
      onHighlight={onHighlight}
    />
  ));
  const actions = (
    <>
      {changed.length > 0 && (
        <Button
          size="xs"
          variant="subtle"
          leftSection={<IconFilterOff size={14} />}
          onClick={() => change(Object.fromEntries(changed.map(({ name }) => [name, undefined])))}
        >
          {t('Reset to defaults')}
        </Button>
      )}
      {appliesTogether && pending.length > 0 && (
        <Group gap="xs">
          <Button size="xs" onClick={applyAndClose} title={t('Ctrl Enter')}>
            {t('{count, plural, one {Apply # change} other {Apply # changes}}', { count: pending.length })}
          </Button>
          <Button size="xs" variant="default" onClick={discard}>
            {t('Discard')}
          </Button>
        </Group>
      )}
    </>
  );
  const note = misfits.length > 0 && (
    <Text size="sm" role="status" className={classes['note'] ?? ''}>
      {t('{removed}: not in the list for the other filters.', {
        removed: misfits
          .map(({ filter, values: removed }) =>
            t('{names} removed from {label}', { names: namesOf(removed), label: labelOf(filter) }),
          )
          .join(', '),
      })}
    </Text>
  );
  if (!isNarrow) {
    return (
      <div role="group" aria-label={t('Filters')} className={toolbar['filters']} onKeyDown={onKeyDown}>
        {fields}
        {actions}
        {note}
      </div>
    );
  }
  const active = filters.filter((filter) => hasValue(filter, shown)).length;
  return (
    <>
      <Button
        size="sm"
        variant="default"
        leftSection={<IconFilter size={16} />}
        onClick={() => setIsOpen(true)}
      >
        {t('Filters')}
        {active > 0 && (
          <Badge size="sm" circle ml={6}>
            {active}
          </Badge>
        )}
        {active > 0 && <VisuallyHidden>{` ${t('active')}`}</VisuallyHidden>}
      </Button>
      {!isOpen && note}
      <Drawer opened={isOpen} onClose={close} position="bottom" size="auto" title={t('Filters')}>
        <Stack gap="sm" onKeyDown={onKeyDown}>
          {fields}
          {note}
          <Group>{actions}</Group>
          {!appliesTogether && (
            <Button variant="default" onClick={close}>
              {t('Done')}
            </Button>
          )}
        </Stack>
      </Drawer>
    </>
  );
}

const namesOf = (values: readonly string[]): string =>
  values.length <= 3
    ? values.map((value) => t('“{name}”', { name: value })).join(', ')
    : t('“{values}” and {count} others', { values: values[0] ?? '', count: values.length - 1 });

import { ActionIcon, Button, Checkbox, Group, Stack } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconColumns } from '@tabler/icons-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import type { ColumnReference } from '#shared/query-builder/structure.ts';
import { withOptional } from '../../../visualizations/settings/without.ts';
import { isSameColumn, shownColumns } from '../available.ts';
import classes from '../Builder.module.css';
import { useBuilder } from '../context.ts';
import { StepCard } from '../StepCard.tsx';
import { allColumns } from '../up-to.ts';

/** The columns that a query without a summary shows, in their order, and then the others. */
export function ColumnsStep(): ReactNode {
  const { structure, models, columns: available, change, open } = useBuilder();
  const list = useRef<HTMLDivElement>(null);
  const isNew = open?.step === 'shownColumns' && open.isNew;
  useEffect(() => {
    if (isNew) list.current?.querySelector('input')?.focus();
  }, [isNew]);
  const all = allColumns(structure);
  const shown = structure.columns ?? shownColumns(structure, models) ?? all;
  const isShown = (column: ColumnReference) => shown.some((one) => isSameColumn(one, column));
  const others = all.filter((column) => !isShown(column));
  const labelOf = (column: ColumnReference) => {
    const found = available.find(({ reference }) => isSameColumn(reference, column));
    const label = found?.label ?? column.name;
    return column.table === undefined ? label : `${column.table} ${label}`;
  };
  const set = (columns: readonly ColumnReference[] | undefined) =>
    change(withOptional(structure, 'columns', columns));
  const move = (from: number, to: number) => {
    const column = shown[from];
    if (column !== undefined) set(shown.toSpliced(from, 1).toSpliced(to, 0, column));
  };
  return (
    <StepCard step="shownColumns" title={t('Columns')} icon={IconColumns}>
      <Group gap="xs">
        <Button size="compact-sm" variant="light" onClick={() => set(shownColumns(structure, models))}>
          {t('Show all')}
        </Button>
        <Button size="compact-sm" variant="light" onClick={() => set([])}>
          {t('Hide all')}
        </Button>
      </Group>
      <Stack ref={list} gap={4} className={classes.columns} role="group" aria-label={t('Columns to show')}>
        {[...shown, ...others].map((column, index) => {
          const label = labelOf(column);
          const isChosen = index < shown.length;
          return (
            <Group key={`${column.table ?? ''} ${column.name}`} gap={2} wrap="nowrap" justify="space-between">
              <Checkbox
                size="sm"
                label={label}
                checked={isChosen}
                onChange={() => set(isChosen ? shown.toSpliced(index, 1) : [...shown, column])}
              />
              {isChosen && (
                <Group gap={2} wrap="nowrap">
                  <ActionIcon
                    size="sm"
                    variant="subtle"
                    aria-label={t('Move {label} up', { label })}
                    aria-disabled={index === 0 || undefined}
                    data-disabled={index === 0}
                    onClick={() => index > 0 && move(index, index - 1)}
                  >
                    <IconArrowUp size={14} aria-hidden />
                  </ActionIcon>
                  <ActionIcon
                    size="sm"
                    variant="subtle"
                    aria-label={t('Move {label} down', { label })}
                    aria-disabled={index === shown.length - 1 || undefined}
                    data-disabled={index === shown.length - 1}
                    onClick={() => index < shown.length - 1 && move(index, index + 1)}
                  >
                    <IconArrowDown size={14} aria-hidden />
                  </ActionIcon>
                </Group>
              )}
            </Group>
          );
        })}
      </Stack>
    </StepCard>
  );
}

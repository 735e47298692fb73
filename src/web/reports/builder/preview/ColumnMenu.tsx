import { ActionIcon, Menu } from '@mantine/core';
import {
  IconChevronDown,
  IconFilter,
  IconSortAscending,
  IconSortDescending,
  IconStack2,
  IconSum,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { isNumeric } from '#shared/columns.ts';
import { t } from '#shared/language/messages.ts';
import { MenuAction } from '../../../ui/actions/MenuAction.tsx';
import { isSameColumn } from '../available.ts';
import { useBuilder } from '../context.ts';
import { useFilters } from '../filters/use-filters.ts';
import { useSummary } from '../summarize/use-summary.ts';
import { allColumns, isSummarized, steps, type Step } from '../up-to.ts';

/** What people can do with a column of a preview. */
export function ColumnMenu({
  step,
  name,
  index,
}: {
  readonly step: Step;
  readonly name: string;
  /** Its place in the preview. */
  readonly index: number;
}): ReactNode {
  const { structure, columns, change } = useBuilder();
  const { addFilter } = useFilters();
  const { addMeasure, addGroup } = useSummary();
  const isAfterSummary = steps.indexOf(step) >= steps.indexOf('summarize');
  const isResult = isSummarized(structure) && isAfterSummary;
  const isChosen = steps.indexOf(step) >= steps.indexOf('shownColumns');
  const references = isChosen ? structure.columns : allColumns(structure);
  const reference = references?.[index] ?? { name };
  const column = isResult ? undefined : columns.find((one) => isSameColumn(one.reference, reference));
  const sortBy = (isDescending: boolean) => change({ ...structure, sort: [{ name, isDescending }] });
  const reason =
    isSummarized(structure) && !isResult
      ? t('The result is summarized: sort one of its columns.')
      : undefined;
  return (
    <Menu floatingStrategy="fixed" position="bottom-start">
      <Menu.Target>
        <ActionIcon size={20} variant="subtle" aria-label={t('Actions for {name}', { name })}>
          <IconChevronDown size={14} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {column !== undefined && (
          <>
            <MenuAction icon={<IconFilter size={16} />} onClick={() => addFilter(column)}>
              {t('Filter')}
            </MenuAction>
            <MenuAction icon={<IconStack2 size={16} />} onClick={() => void addGroup(column, true)}>
              {t('Group by')}
            </MenuAction>
            {isNumeric(column.type) && (
              <MenuAction
                icon={<IconSum size={16} />}
                onClick={() => addMeasure({ aggregate: 'sum', column: column.reference })}
              >
                {t('Total')}
              </MenuAction>
            )}
          </>
        )}
        <MenuAction icon={<IconSortAscending size={16} />} reason={reason} onClick={() => sortBy(false)}>
          {t('Sort ascending')}
        </MenuAction>
        <MenuAction icon={<IconSortDescending size={16} />} reason={reason} onClick={() => sortBy(true)}>
          {t('Sort descending')}
        </MenuAction>
      </Menu.Dropdown>
    </Menu>
  );
}

import { Stack, Text } from '@mantine/core';
import { IconSum } from '@tabler/icons-react';
import { useMemo, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import type { Group, Measure } from '#shared/query-builder/structure.ts';
import { ColumnPicker, Picker } from '../ColumnPicker.tsx';
import { useBuilder } from '../context.ts';
import { lowerFirst, nameOfGranularity } from '../names.ts';
import { StepCard } from '../StepCard.tsx';
import { StepItem } from '../StepItem.tsx';
import { isSummarized } from '../up-to.ts';
import { GroupEditor } from './GroupEditor.tsx';
import { MeasureEditor } from './MeasureEditor.tsx';
import { measureOptions } from './measure-options.ts';
import { firstGroupItem, useSummary } from './use-summary.ts';

/** What is computed, and by what the rows are grouped. */
export function SummarizeStep(): ReactNode {
  const { structure, columns, models, open } = useBuilder();
  const { measures, groups, addMeasure, addGroup, ...edit } = useSummary();
  const options = useMemo(() => measureOptions(structure, columns, models), [structure, columns, models]);
  const isAdding = open?.step === 'summarize' && open.item === undefined;
  return (
    <StepCard step="summarize" title={t('Summarize')} icon={IconSum}>
      <Stack gap="xs" role="group" aria-label={t('Measures')}>
        <Text size="xs" fw={600} c="dimmed">
          {t('Show')}
        </Text>
        {measures.map((measure, index) => (
          <StepItem
            key={index}
            step="summarize"
            item={index}
            pointer={`/measures/${index}`}
            label={measureInWords(measure)}
            remove={() => edit.removeMeasure(index)}
          >
            <MeasureEditor
              measure={measure}
              pointer={`/measures/${index}`}
              change={(changed, field) =>
                edit.replaceMeasure(index, changed, field && `measure ${index} ${field}`)
              }
            />
          </StepItem>
        ))}
        <Picker
          label={t('Add a measure')}
          isAdding
          isFocused={isAdding && !isSummarized(structure)}
          value={null}
          data={options.map(({ group, items }) => ({
            group,
            items: items.map(({ label, measure }) => ({ value: JSON.stringify(measure), label })),
          }))}
          onPick={(chosen) => {
            const option = options
              .flatMap(({ items }) => items)
              .find(({ measure }) => JSON.stringify(measure) === chosen);
            if (option !== undefined) addMeasure(option.measure, option.name);
          }}
        />
      </Stack>
      <Stack gap="xs" role="group" aria-label={t('Groups')}>
        <Text size="xs" fw={600} c="dimmed">
          {t('By')}
        </Text>
        {groups.map((group, index) => (
          <StepItem
            key={index}
            step="summarize"
            item={firstGroupItem + index}
            pointer={`/groups/${index}`}
            label={groupInWords(group)}
            remove={() => edit.removeGroup(index)}
          >
            <GroupEditor
              group={group}
              change={(changed, field) =>
                edit.replaceGroup(index, changed, field && `group ${index} ${field}`)
              }
            />
          </StepItem>
        ))}
        <ColumnPicker
          label={t('Add a group')}
          columns={columns}
          isFocused={isAdding && isSummarized(structure)}
          onPick={(column) => void addGroup(column)}
        />
      </Stack>
    </StepCard>
  );
}

const comparisonsInWords = {
  share_of_total: t('share of the total'),
  change: t('change from the previous period'),
  percent_change: t('percent change from the previous period'),
  running_total: t('running total'),
} as const;

const measureInWords = ({ name, comparison }: Measure): string =>
  comparison === undefined ? name : `${name}: ${comparisonsInWords[comparison]}`;

function groupInWords({ column, name, granularity, binWidth }: Group): string {
  const words = column.table === undefined ? column.name : `${column.table} ${column.name}`;
  const by =
    granularity !== undefined
      ? t('{words} by {granularity}', {
          words,
          granularity: lowerFirst(nameOfGranularity(granularity)),
        })
      : binWidth !== undefined
        ? t('{words} in steps of {binWidth}', { words, binWidth })
        : words;
  const isDefault =
    name === undefined ||
    name === column.name ||
    (granularity !== undefined && name === nameOfGranularity(granularity));
  return isDefault ? by : t('{by}, as {name}', { by, name });
}

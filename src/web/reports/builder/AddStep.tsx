import { Button, Group } from '@mantine/core';
import {
  IconArrowsJoin2,
  IconArrowsSort,
  IconColumns,
  IconFilter,
  IconFilterPlus,
  IconListNumbers,
  IconMathFunction,
  IconSum,
  type Icon,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { withNewCustomColumn } from './columns/CustomColumnStep.tsx';
import { useBuilder } from './context.ts';
import { isSummarized, type Step } from './up-to.ts';

const choices: readonly {
  readonly step: Exclude<Step, 'table'>;
  readonly label: string;
  readonly icon: Icon;
}[] = [
  { step: 'joins', label: t('Join'), icon: IconArrowsJoin2 },
  { step: 'columns', label: t('Custom column'), icon: IconMathFunction },
  { step: 'filters', label: t('Filter'), icon: IconFilter },
  { step: 'shownColumns', label: t('Columns'), icon: IconColumns },
  { step: 'summarize', label: t('Summarize'), icon: IconSum },
  { step: 'resultFilters', label: t('Filter the result'), icon: IconFilterPlus },
  { step: 'sort', label: t('Sort'), icon: IconArrowsSort },
  { step: 'limit', label: t('Limit'), icon: IconListNumbers },
];

/** Buttons that add to a step of the query. */
export function AddStep(): ReactNode {
  const { structure, change, setOpen } = useBuilder();
  const add = (step: Step) => {
    if (step === 'columns') {
      change(withNewCustomColumn(structure));
      setOpen({ step, item: structure.customColumns?.length ?? 0, isNew: true });
      return;
    }
    if (step === 'limit' && structure.limit === undefined) change({ ...structure, limit: 10 });
    setOpen({ step, isNew: true });
  };
  return (
    <Group gap="xs" role="group" aria-label={t('Add a step')}>
      {choices
        .filter(({ step }) => {
          if (step === 'resultFilters') return isSummarized(structure);
          return step !== 'shownColumns' || !isSummarized(structure);
        })
        .map(({ step, label, icon: StepIcon }) => (
          <Button
            key={step}
            size="sm"
            px="sm"
            variant="light"
            leftSection={<StepIcon size={16} aria-hidden />}
            data-add-step={step}
            onClick={() => add(step)}
          >
            {label}
          </Button>
        ))}
    </Group>
  );
}

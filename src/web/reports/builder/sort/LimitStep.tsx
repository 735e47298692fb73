import { CloseButton, Group, NumberInput } from '@mantine/core';
import { IconListNumbers } from '@tabler/icons-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { t } from '#shared/language/messages.ts';
import { useBuilder } from '../context.ts';
import { StepCard } from '../StepCard.tsx';

/** The most rows of the result. */
export function LimitStep(): ReactNode {
  const { structure, change, open, setOpen } = useBuilder();
  const { limit, ...rest } = structure;
  const input = useRef<HTMLInputElement>(null);
  const isNew = open?.step === 'limit' && open.isNew;
  useEffect(() => {
    if (isNew) input.current?.select();
  }, [isNew]);
  return (
    <StepCard step="limit" title={t('Limit')} icon={IconListNumbers}>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <NumberInput
          ref={input}
          label={t('Most rows to return')}
          size="sm"
          min={1}
          max={1_000_000}
          allowDecimal={false}
          value={limit ?? ''}
          onChange={(value) =>
            typeof value === 'number' && value >= 1 && change({ ...rest, limit: value }, 'limit')
          }
        />
        <CloseButton
          size="lg"
          aria-label={t('Remove the limit')}
          onClick={() => {
            flushSync(() => {
              setOpen(undefined);
              change(rest);
            });
            document.querySelector<HTMLElement>('[data-add-step="limit"]')?.focus();
          }}
        />
      </Group>
    </StepCard>
  );
}

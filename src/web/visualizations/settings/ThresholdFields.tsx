import { Button, CloseButton, Fieldset, Group, NumberInput, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Threshold } from '#charts/drawing/chart.ts';
import { t } from '#shared/language/messages.ts';
import { ColorField } from './ColorField.tsx';

/** The colors that apply from certain values on. */
export function ThresholdFields({
  thresholds = [],
  onChange,
}: {
  readonly thresholds: readonly Threshold[] | undefined;
  readonly onChange: (thresholds: Threshold[] | undefined) => void;
}): ReactNode {
  const change = (next: Threshold[]) => onChange(next.length === 0 ? undefined : next);
  return (
    <Fieldset legend={t('Color thresholds')} p="xs">
      <Stack gap="xs">
        {thresholds.map((threshold, index) => (
          <Stack key={index} gap={4}>
            <Group gap="xs" wrap="nowrap" align="flex-end">
              <NumberInput
                label={t('Threshold {number}', { number: index + 1 })}
                size="xs"
                flex={1}
                value={threshold.from}
                onChange={(from) =>
                  typeof from === 'number' && change(thresholds.with(index, { ...threshold, from }))
                }
              />
              <CloseButton
                aria-label={t('Remove threshold {number}', { number: index + 1 })}
                onClick={() => change(thresholds.toSpliced(index, 1))}
              />
            </Group>
            <ColorField
              label={t('Color from {from}', { from: threshold.from })}
              color={threshold.color}
              onChange={(color) => change(thresholds.with(index, { ...threshold, color: color ?? '1' }))}
            />
          </Stack>
        ))}
        <Button
          size="compact-xs"
          variant="subtle"
          disabled={thresholds.length >= 20}
          onClick={() =>
            change([
              ...thresholds,
              { from: (thresholds.at(-1)?.from ?? -1) + 1, color: String(thresholds.length + 2) },
            ])
          }
        >
          {t('Add threshold')}
        </Button>
      </Stack>
    </Fieldset>
  );
}

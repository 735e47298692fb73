import { Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Visualization } from '#contract/reports/visualizations.ts';
import type { OfKind } from '#charts/kind.ts';
import { t } from '#shared/language/messages.ts';
import type { SettingsProps } from '../kind.ts';
import { ColorField } from '../settings/ColorField.tsx';
import { DataLabelsSelect } from '../settings/DataLabelsSelect.tsx';
import { More } from '../settings/More.tsx';
import { ReferenceLineFields } from '../settings/ReferenceLineFields.tsx';
import { StepSettings } from '../settings/StepSettings.tsx';
import { withOptional } from '../settings/without.ts';

export function WaterfallSettings(props: SettingsProps<OfKind<'waterfall'>, Visualization>): ReactNode {
  const { visualization: v, onChange } = props;
  const { hasTotal = true } = v;
  return (
    <>
      <StepSettings {...props} />
      <Switch
        size="xs"
        label={t('Total')}
        checked={hasTotal}
        onChange={(event) =>
          onChange(withOptional(v, 'hasTotal', event.currentTarget.checked ? undefined : false))
        }
      />
      {hasTotal && (
        <TextInput
          label={t('Label of the total')}
          size="xs"
          maxLength={1000}
          placeholder={t('Total')}
          value={v.totalLabel ?? ''}
          onChange={(event) =>
            onChange(withOptional(v, 'totalLabel', event.currentTarget.value || undefined))
          }
        />
      )}
      <DataLabelsSelect
        labels={v.dataLabels}
        onChange={(dataLabels) => onChange(withOptional(v, 'dataLabels', dataLabels))}
      />
      <ReferenceLineFields
        lines={v.referenceLines}
        onChange={(referenceLines) => onChange(withOptional(v, 'referenceLines', referenceLines))}
      />
      <More label={t('Colors')}>
        <ColorField
          label={t('Increases')}
          color={v.increaseColor}
          onChange={(color) => onChange(withOptional(v, 'increaseColor', color))}
        />
        <ColorField
          label={t('Decreases')}
          color={v.decreaseColor}
          onChange={(color) => onChange(withOptional(v, 'decreaseColor', color))}
        />
      </More>
    </>
  );
}

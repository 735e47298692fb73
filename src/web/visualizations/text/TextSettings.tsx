import { Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import type { OfKind } from '#charts/kind.ts';
import { t } from '#shared/language/messages.ts';
import type { SettingsProps } from '../kind.ts';

export const TextSettings = ({ visualization: v, onChange }: SettingsProps<OfKind<'text'>>): ReactNode => (
  <Textarea
    label={t('Text')}
    description={t('{{column}} is replaced by the value of this column in the first row')}
    size="xs"
    autosize
    minRows={4}
    maxRows={16}
    maxLength={20_000}
    value={v.text}
    onChange={(event) => onChange({ ...v, text: event.currentTarget.value })}
  />
);

import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import classes from './OrganizationColors.module.css';

/** A color as `#rrggbb` that can be typed or picked. */
export function ColorField({
  value,
  isLocked,
  onChange,
  label,
  'aria-label': hiddenLabel,
  description,
}: {
  readonly value: string;
  readonly isLocked: boolean;
  readonly onChange: (color: string) => void;
  readonly label?: string;
  readonly 'aria-label'?: string;
  readonly description?: string;
}): ReactNode {
  return (
    <TextInput
      label={label}
      aria-label={hiddenLabel}
      description={description}
      maxLength={7}
      readOnly={isLocked}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      flex={1}
      leftSection={
        <input
          type="color"
          className={classes.picker}
          aria-label={t('Pick: {label}', { label: label ?? hiddenLabel ?? '' })}
          disabled={isLocked}
          value={isHexColor(value) ? value : '#000000'}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      }
    />
  );
}

/** Whether a text is a color as `#rrggbb`. */
export const isHexColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

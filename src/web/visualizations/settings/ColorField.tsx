import { Group, Radio, useComputedColorScheme } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import { chartTheme } from '#charts/drawing/palette.ts';
import { t } from '#shared/language/messages.ts';
import classes from './ColorField.module.css';

/** A color of the palette, which has a different shade in each theme; or automatic, by the order of the series. */
export function ColorField({
  label,
  color,
  onChange,
}: {
  readonly label: string;
  readonly color: string | undefined;
  readonly onChange: (color: string | undefined) => void;
}): ReactNode {
  const id = useId();
  const { colors } = chartTheme(useComputedColorScheme() === 'dark');
  const isCustom = color !== undefined && color.startsWith('#');
  return (
    <Radio.Group
      label={label}
      size="xs"
      name={id}
      value={color ?? 'auto'}
      onChange={(chosen) => onChange(chosen === 'auto' ? undefined : chosen)}
    >
      <Group gap={4} mt={4}>
        <Radio value="auto" label={t('Auto')} size="xs" />
        {colors.map((shade, index) => (
          <Radio.Card
            key={index}
            value={String(index + 1)}
            aria-label={t('Color {number}', { number: index + 1 })}
            className={classes.swatch}
            style={{ backgroundColor: shade }}
          />
        ))}
        {isCustom && (
          <Radio.Card
            value={color}
            aria-label={t('Color {color}', { color })}
            className={classes.swatch}
            style={{ backgroundColor: color }}
          />
        )}
      </Group>
    </Radio.Group>
  );
}

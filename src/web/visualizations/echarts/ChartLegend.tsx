import { UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import type { LegendItem } from '#charts/drawing/chart.ts';
import classes from './ChartLegend.module.css';

/** The legend of a chart. Clicking an item hides its series or slice, or shows it again. */
export const ChartLegend = ({
  items,
  isBeside,
  isStatic,
  hidden,
  onToggle,
}: {
  readonly items: readonly LegendItem[];
  readonly isBeside: boolean;
  readonly isStatic: boolean;
  readonly hidden: ReadonlySet<string>;
  readonly onToggle: (name: string) => void;
}): ReactNode => (
  <ul className={classes['legend']} aria-label="Legend" data-beside={isBeside || undefined}>
    {items.map(({ name, color, value }, index) => (
      // Two values can have the same name.
      <li key={index}>
        {isStatic ? (
          <span className={classes['item']}>
            <Item name={name} color={color} value={value} />
          </span>
        ) : (
          <UnstyledButton
            className={classes['item'] ?? ''}
            aria-pressed={!hidden.has(name)}
            onClick={() => onToggle(name)}
          >
            <Item name={name} color={color} value={value} />
          </UnstyledButton>
        )}
      </li>
    ))}
  </ul>
);

const Item = ({
  name,
  color,
  value,
}: { [Key in keyof LegendItem]: LegendItem[Key] | undefined }): ReactNode => (
  <>
    <span className={classes['mark']} style={{ background: color }} />
    <span className={classes['name']}>{name}</span>
    {value !== undefined && <span className={classes['value']}>{value}</span>}
  </>
);

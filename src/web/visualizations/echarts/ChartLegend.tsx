import { UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import type { LegendItem } from '#charts/drawing/chart.ts';
import { t } from '#shared/language/messages.ts';
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
  <ul className={classes['legend']} aria-label={t('Legend')} data-beside={isBeside || undefined}>
    {items.map((item, index) => (
      // Two values can have the same name.
      <li key={index}>
        {isStatic ? (
          <span className={classes['item']}>
            <Item {...item} />
          </span>
        ) : (
          <UnstyledButton
            className={classes['item'] ?? ''}
            aria-pressed={!hidden.has(item.name)}
            onClick={() => onToggle(item.name)}
          >
            <Item {...item} />
          </UnstyledButton>
        )}
      </li>
    ))}
  </ul>
);

const Item = ({ name, color, pattern, value }: LegendItem): ReactNode => (
  <>
    <span className={classes['mark']} data-pattern={pattern} style={{ backgroundColor: color }} />
    <span className={classes['name']}>{name}</span>
    {value !== undefined && <span className={classes['value']}>{value}</span>}
  </>
);

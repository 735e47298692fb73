import { Skeleton, Text } from '@mantine/core';
import { useMemo, useRef, type ReactNode } from 'react';
import type { ColumnProfile } from '#contract/explore.ts';
import { t } from '#shared/language/messages.ts';
import type { Explorer } from '../explorer.ts';
import { barOf } from '../index/cells.ts';
import classes from './Charts.module.css';
import { RangeChart } from './RangeChart.tsx';
import { countText, shareText } from './text.ts';
import { ValuesChart } from './ValuesChart.tsx';

/** How long the pointer rests on a chart before its index is loaded. */
const restMs = 60;

/** A column: its name, its chart, and what the chart doesn't show. */
export function ChartCard({
  column,
  title,
  profile,
  rowCount,
  explorer,
  menu,
}: {
  readonly column: string;
  /** The display name of the column. */
  readonly title: string;
  readonly profile: ColumnProfile | undefined;
  readonly rowCount: number;
  readonly explorer: Explorer;
  readonly menu: ReactNode;
}): ReactNode {
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  const activate = (): void => explorer.activate(column);
  return (
    <section
      className={classes['card']}
      aria-label={title}
      aria-busy={profile === undefined}
      onPointerEnter={() => {
        rest.current = setTimeout(activate, restMs);
      }}
      onPointerLeave={() => clearTimeout(rest.current)}
      onPointerDown={activate}
    >
      <div className={classes['head']}>
        <h2 className={classes['name']} title={column} style={{ margin: 0 }}>
          {title}
        </h2>
        {menu}
      </div>
      {profile === undefined ? (
        <Skeleton height={96} />
      ) : (
        <Chart title={title} profile={profile} rowCount={rowCount} explorer={explorer} />
      )}
    </section>
  );
}

function Chart({
  title,
  profile,
  rowCount,
  explorer,
}: {
  readonly title: string;
  readonly profile: ColumnProfile;
  readonly rowCount: number;
  readonly explorer: Explorer;
}): ReactNode {
  const { axis, problem, nullCount = 0 } = profile;
  const all = useMemo(() => barCounts(profile), [profile]);
  if (problem !== undefined)
    return (
      <Text size="xs" role="alert">
        {problem.detail}
      </Text>
    );
  return (
    <>
      {axis === undefined && <Text size="xs">{reasonForNoChart(profile, rowCount)}</Text>}
      {axis !== undefined && axis.kind !== 'values' && (
        <RangeChart axis={axis} all={all} title={title} explorer={explorer} />
      )}
      {axis?.kind === 'values' && (
        <ValuesChart
          axis={axis}
          nullCount={nullCount}
          otherCount={all[axis.values.length] ?? 0}
          title={title}
          explorer={explorer}
        />
      )}
      <p className={classes['facts']} style={{ marginBottom: 0 }}>
        {factsOf(profile, rowCount, all)}
      </p>
    </>
  );
}

function reasonForNoChart({ nullCount = 0 }: ColumnProfile, rowCount: number): string {
  if (rowCount === 0) return t('There are no rows.');
  if (nullCount === rowCount) return t('No row has a value.');
  return t('Nearly every value is different, or the type of the column has no chart.');
}

/** Returns the rows of each bar, and then those of the extra cells. */
function barCounts({ axis, cells = [], counts = [] }: ColumnProfile): number[] {
  const bars: number[] = [];
  if (axis === undefined) return bars;
  for (const [index, cell] of cells.entries()) {
    const bar = barOf(axis, cell);
    bars[bar] = (bars[bar] ?? 0) + (counts[index] ?? 0);
  }
  return bars;
}

/** Returns what the chart itself doesn't say. */
function factsOf(profile: ColumnProfile, rowCount: number, bars: readonly number[]): string {
  const { axis, nullCount = 0, distinctCount, notFiniteCount, min, max } = profile;
  const facts: string[] = [];
  if (distinctCount !== undefined)
    facts.push(t('{count, plural, one {# value} other {# values}}', { count: distinctCount }));
  if (axis !== undefined && axis.kind !== 'values') {
    const bins = axis.count / axis.perBin;
    const outside = (bars[bins] ?? 0) + (bars[bins + 1] ?? 0) - (notFiniteCount ?? 0);
    if (outside > 0)
      facts.push(
        t('{outside, plural, one {# row} other {# rows}} outside, from {min} to {max}', {
          outside,
          min: min ?? '',
          max: max ?? '',
        }),
      );
  }
  if (notFiniteCount !== undefined)
    facts.push(t('{countText} infinite or not a number', { countText: countText(notFiniteCount) }));
  facts.push(
    nullCount === 0
      ? t('No nulls')
      : t('{count, plural, one {# null} other {# nulls}} ({share})', {
          count: nullCount,
          share: shareText(nullCount, rowCount),
        }),
  );
  return facts.join(' · ');
}

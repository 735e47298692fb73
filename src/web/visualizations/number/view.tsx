import { Group, Stack, Text, UnstyledButton, useComputedColorScheme } from '@mantine/core';
import { IconArrowDownRight, IconArrowUpRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { OfKind } from '#charts/kind.ts';
import { defineView, type ViewProps } from '../kind.ts';
import { markOfRow } from '#charts/marks/mark.ts';
import { clickOf } from '../marks/click.ts';
import { figureOf } from '#charts/number/figure.ts';
import classes from '../VisualizationView.module.css';
import { chartTheme, colorAt, readableColor, resolveColor } from '#charts/drawing/palette.ts';
import { reachedThreshold } from '#charts/values/thresholds.ts';
import { Sparkline } from '../sparkline/Sparkline.tsx';

/** A large number, its comparison, and how it developed. */
function NumberView({
  visualization,
  result,
  name,
  choose,
  stateOf,
}: ViewProps<OfKind<'number'>>): ReactNode {
  const theme = chartTheme(useComputedColorScheme('light') === 'dark');
  const { column, row, text = '', value, comparison, history } = figureOf(visualization, result) ?? {};
  const reached = reachedThreshold(visualization.thresholds, value);
  const Arrow = comparison?.direction === 'less' ? IconArrowDownRight : IconArrowUpRight;
  const mark = column && row && markOfRow([], [column], row);
  const paint = (color: string) => readableColor(resolveColor(color, theme), theme);
  return (
    <Stack gap={4} justify="center" className={classes['number']}>
      <Text
        component="div"
        className={classes['figure']}
        style={{
          '--figure-length': Math.max(text.length, 4),
          ...(reached && { color: paint(reached.color) }),
        }}
      >
        {choose === undefined || mark === undefined ? (
          text
        ) : (
          <UnstyledButton
            className={classes['pick'] ?? ''}
            aria-haspopup="menu"
            aria-label={`${name}: ${text}`}
            data-selected={stateOf?.(mark) === true || undefined}
            onClick={(event) => choose(mark, clickOf(event))}
          >
            {text}
          </UnstyledButton>
        )}
      </Text>
      {reached?.label !== undefined && <Text size="sm">{reached.label}</Text>}
      {comparison !== undefined && (
        <Group gap={4} wrap="nowrap" justify="center" maw="100%">
          {comparison.direction !== 'same' && (
            <Arrow size={16} aria-hidden color={paint(comparison.isGood === true ? '3' : '4')} />
          )}
          <Text size="sm" c="dimmed" truncate>
            {comparison.text}
          </Text>
        </Group>
      )}
      {history !== undefined && (
        <Sparkline values={history} color={colorAt(theme, 0)} className={classes['sparkline']} />
      )}
    </Stack>
  );
}

export default defineView('number', NumberView);

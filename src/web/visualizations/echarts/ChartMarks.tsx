import { useMemo, type ReactNode, type RefObject } from 'react';
import type { ChooseMark, StateOf } from '#charts/marks/mark.ts';
import { markWriter } from '#charts/marks/mark.ts';
import { MarkList } from '../marks/MarkList.tsx';
import type { ResultRows } from '#charts/values/result-values.ts';
import type { Chart } from '#charts/drawing/chart.ts';
import type { ChartCanvas } from './canvas.ts';
import { dataOf, pairOf, partsOf, seriesOf } from '#charts/drawing/parts.ts';
import { t } from '#shared/language/messages.ts';

/** The marks of a chart for the keyboard. The active one shows its tooltip. */
export function ChartMarks({
  name,
  chart,
  result,
  canvas,
  element,
  choose,
  stateOf,
}: {
  readonly name: string;
  readonly chart: Chart;
  readonly result: ResultRows;
  readonly canvas: RefObject<ChartCanvas | undefined>;
  readonly element: RefObject<HTMLElement | null>;
  readonly choose: ChooseMark;
  readonly stateOf: StateOf | undefined;
}): ReactNode {
  const parts = useMemo(() => partsOf(chart), [chart]);
  const write = useMemo(() => markWriter(result), [result]);

  /** Returns the middle of a part in the window, or of the chart if the part has no axes. */
  const placeOf = (index: number) => {
    const { left = 0, top = 0, width = 0, height = 0 } = element.current?.getBoundingClientRect() ?? {};
    const { seriesIndex = 0, dataIndex = 0 } = parts[index] ?? {};
    const series = seriesOf(chart)[seriesIndex];
    const pair = series && pairOf(dataOf(series)[dataIndex]);
    const [x = width / 2, y = height / 2] = (pair && canvas.current?.positionOf(seriesIndex, pair)) ?? [];
    return { x: left + x, y: top + y };
  };
  const chooseAt = (index: number, isAdding: boolean) => {
    const mark = parts[index]?.mark;
    if (mark !== undefined) choose(mark, { ...placeOf(index), isAdding });
  };
  return (
    <MarkList
      label={t('Values of {name}', { name })}
      count={parts.length}
      textOf={(index) => {
        const mark = parts[index]?.mark;
        return mark === undefined ? '' : write(mark);
      }}
      isSelected={(index) => {
        const mark = parts[index]?.mark;
        return mark !== undefined && stateOf?.(mark) === true;
      }}
      above={(index, step) => {
        const { seriesIndex = 0, dataIndex = 0 } = parts[index] ?? {};
        const other = parts.findIndex(
          (part) => part.seriesIndex === seriesIndex + step && part.dataIndex === dataIndex,
        );
        return other === -1 ? index + step : other;
      }}
      onActivate={(index) => canvas.current?.point(parts[index])}
      onLeave={() => canvas.current?.point(undefined)}
      onOpen={(index) => chooseAt(index, false)}
      onToggle={(index) => chooseAt(index, true)}
    />
  );
}

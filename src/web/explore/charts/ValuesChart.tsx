import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import type { ValuesAxis } from '#shared/explore/axes.ts';
import { t } from '#shared/language/messages.ts';
import type { Explorer } from '../explorer.ts';
import classes from './Charts.module.css';
import { countText, labelOf } from './text.ts';

type Value = string | boolean | null;

/** The most frequent values of a column, which people select by clicking them or with Space. */
export function ValuesChart({
  axis,
  nullCount,
  otherCount,
  title,
  explorer,
}: {
  readonly axis: ValuesAxis;
  readonly nullCount: number;
  readonly otherCount: number;
  readonly title: string;
  readonly explorer: Explorer;
}): ReactNode {
  const list = useRef<HTMLDivElement>(null);
  const { column } = axis;
  const values: readonly Value[] = nullCount > 0 ? [...axis.values, null] : axis.values;

  useEffect(
    () =>
      explorer.watch(column, ({ counts, selection }) => {
        list.current?.toggleAttribute('data-stale', counts === undefined);
        const chosen = selection?.kind === 'values' ? selection.values : undefined;
        let highest = 1;
        // Other values would make the bars of the listed ones too short.
        for (let cell = 0; cell < axis.values.length; cell += 1)
          highest = Math.max(highest, counts?.[cell] ?? 0);
        for (const row of list.current?.querySelectorAll<HTMLElement>('[data-cell]') ?? []) {
          const cell = Number(row.dataset['cell']);
          if (counts !== undefined) drawRow(row, counts[cell] ?? 0, highest);
          const value = cell === axis.values.length + 1 ? null : axis.values[cell];
          if (row instanceof HTMLButtonElement)
            row.setAttribute('aria-pressed', String(value !== undefined && chosen?.includes(value) === true));
        }
        list.current?.toggleAttribute('data-selected', chosen !== undefined);
      }),
    [explorer, column, axis],
  );

  function toggle(value: Value): void {
    const selection = explorer.selectionOf(column);
    const before = selection?.kind === 'values' ? selection.values : [];
    const chosen = before.includes(value) ? before.filter((one) => one !== value) : [...before, value];
    explorer.select(column, chosen.length === 0 ? undefined : { kind: 'values', column, values: chosen });
    explorer.commit();
  }
  return (
    <div ref={list} className={classes['values']} role="group" aria-label={title} onKeyDown={moveFocus}>
      {values.map((value) => (
        <button
          key={String(value)}
          type="button"
          className={classes['value']}
          data-cell={value === null ? axis.values.length + 1 : axis.values.indexOf(value)}
          aria-pressed={false}
          onClick={() => toggle(value)}
          onFocus={() => explorer.activate(column)}
        >
          <span className={classes['fill']} data-fill />
          <span className={classes['label']} data-special={value === null || value === '' || undefined}>
            {labelOf(value)}
          </span>
          <span className={classes['count']} data-count />
        </button>
      ))}
      {otherCount > 0 && (
        <div className={classes['value']} data-cell={axis.values.length} data-others>
          <span className={classes['fill']} data-fill />
          <span className={classes['label']}>{t('Other values')}</span>
          <span className={classes['count']} data-count />
        </div>
      )}
    </div>
  );
}

function drawRow(row: HTMLElement, count: number, highest: number): void {
  const fill = row.querySelector<HTMLElement>('[data-fill]');
  const text = row.querySelector<HTMLElement>('[data-count]');
  if (fill !== null) fill.style.transform = `scaleX(${Math.min(count / highest, 1)})`;
  if (text !== null) text.textContent = countText(count);
}

/** Arrow keys go from value to value. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (by === 0) return;
  event.preventDefault();
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const index = buttons.findIndex((button) => button === document.activeElement);
  buttons[index + by]?.focus();
}

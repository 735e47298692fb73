import { UnstyledButton } from '@mantine/core';
import { useEffect, useRef, type KeyboardEvent, type PointerEventHandler, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import type { Tab } from '#shared/sections/structure.ts';
import classes from './TabList.module.css';
import { tabTitle } from '#shared/sections/titles.ts';

/**
 * The tabs of a dashboard, by the ARIA pattern of tabs: arrow keys move the focus, Enter opens a tab, because its results have to
 * be loaded. They scroll sideways if the window is too narrow.
 */
export function TabList({
  tabs,
  current,
  tabId,
  panelId,
  onChoose,
  editing,
}: {
  readonly tabs: readonly Pick<Tab<unknown>, 'key' | 'title'>[];
  /** The key of the open tab. */
  readonly current: string;
  readonly tabId: (key: string) => string;
  readonly panelId: (key: string) => string;
  readonly onChoose: (key: string) => void;
  /** In the editor, starts dragging a tab into another place, and lets widgets be dropped on a tab. */
  readonly editing?: {
    readonly onPointerDown: PointerEventHandler<HTMLElement>;
    readonly zoneOf: (key: string) => object;
  };
}): ReactNode {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current
      ?.querySelector('[aria-selected=true]')
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  const onKeyDown = (event: KeyboardEvent) => {
    const elements = [...(list.current?.querySelectorAll<HTMLElement>('[role=tab]') ?? [])];
    const index = elements.findIndex((element) => element === document.activeElement);
    const next = nextIndex(event.key, index, elements.length);
    if (next === undefined) return;
    event.preventDefault();
    elements[next]?.focus();
  };
  return (
    <div
      ref={list}
      role="tablist"
      aria-label={t('Tabs of the dashboard')}
      className={`${classes['list'] ?? ''} no-print`}
      onKeyDown={onKeyDown}
      onPointerDown={editing?.onPointerDown}
    >
      {tabs.map((tab) => {
        const isCurrent = tab.key === current;
        return (
          <UnstyledButton
            key={tab.key}
            id={tabId(tab.key)}
            role="tab"
            className={classes['tab'] ?? ''}
            aria-selected={isCurrent}
            {...(editing && { 'data-reorder-key': tab.key, ...editing.zoneOf(tab.key) })}
            aria-controls={isCurrent ? panelId(tab.key) : undefined}
            tabIndex={isCurrent ? 0 : -1}
            onClick={() => onChoose(tab.key)}
          >
            {tabTitle(tab)}
          </UnstyledButton>
        );
      })}
    </div>
  );
}

function nextIndex(key: string, index: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
      return (index + 1) % count;
    case 'ArrowLeft':
      return (index - 1 + count) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

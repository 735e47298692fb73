import { Badge } from '@mantine/core';
import { IconGripVertical } from '@tabler/icons-react';
import { useEffect, useId, useRef, type ComponentType, type ReactNode } from 'react';
import { withVisibleLayouts } from '#shared/grid/visible-layouts.ts';
import { t } from '#shared/language/messages.ts';
import type { Section, Structure } from '#shared/sections/structure.ts';
import { TabList } from '../../view/sections/TabList.tsx';
import { sectionTitle, tabTitle } from '#shared/sections/titles.ts';
import type { DraftWidget } from '../draft/content.ts';
import { gridZone, tabZone } from '../grid/drop-target.ts';
import type { GridProps } from '../grid/grid-props.ts';
import { ContainerMenu } from './ContainerMenu.tsx';
import classes from './EditorParts.module.css';
import type { SectionQuestion } from './questions.ts';
import { useReordering } from './use-reordering.ts';

export interface PartActions {
  readonly ask: (question: SectionQuestion) => void;
  /** Moves a tab or section, by its draft key, to a position among its siblings. */
  readonly move: (key: string, index: number) => void;
  readonly addWidget: (parent: string) => void;
  readonly openTab: (key: string) => void;
}

interface PartProps {
  /** How the widgets of each grid are shown. */
  readonly Grid: ComponentType<GridProps>;
  readonly grid: Omit<GridProps, 'widgets' | 'parent'>;
  readonly actions: PartActions;
}

/** The grids of a dashboard with tabs or sections, each of which is edited by itself. Only the open tab is shown. */
export function EditorParts({
  structure,
  openTab,
  ...parts
}: PartProps & {
  readonly structure: Structure<DraftWidget>;
  /** The key of the open tab. */
  readonly openTab: string;
}): ReactNode {
  const { Grid, grid, actions } = parts;
  const { widgets, sections, tabs } = structure;
  const current = tabs.find(({ key }) => key === openTab);
  const reordering = useReordering('x', (key, index) => {
    const moved = tabs.find((tab) => tab.key === key);
    if (moved !== undefined) actions.move(moved.widget.key, index);
  });
  const id = useId();
  return (
    <div className={classes['parts']}>
      {withVisibleLayouts(widgets).length > 0 && <Grid {...grid} parent="" widgets={widgets} />}
      <SectionList sections={sections} {...parts} />
      {current !== undefined && (
        <>
          <div className={classes['tabs']}>
            <TabList
              tabs={tabs}
              current={current.key}
              tabId={(key) => `${id}-${tabs.findIndex((tab) => tab.key === key)}`}
              panelId={() => `${id}-panel`}
              onChoose={actions.openTab}
              editing={{ onPointerDown: reordering.onPointerDown, zoneOf: tabZone }}
            />
            <ContainerMenu
              widgetKey={current.widget.key}
              containerKey={current.key}
              title={tabTitle(current)}
              isTab
              index={tabs.indexOf(current)}
              count={tabs.length}
              onAsk={actions.ask}
              onMove={actions.move}
              onAddWidget={actions.addWidget}
            />
          </div>
          <div
            key={current.key}
            role="tabpanel"
            id={`${id}-panel`}
            aria-labelledby={`${id}-${tabs.indexOf(current)}`}
            className={classes['parts']}
          >
            <PartGrid
              parent={current.key}
              widgets={current.widgets}
              emptyText={t('This tab is empty.')}
              {...parts}
            />
            <SectionList sections={current.sections} {...parts} />
          </div>
        </>
      )}
    </div>
  );
}

function SectionList({
  sections,
  ...parts
}: PartProps & { readonly sections: readonly Section<DraftWidget>[] }): ReactNode {
  const reordering = useReordering('y', parts.actions.move);
  if (sections.length === 0) return null;
  return (
    <div className={classes['parts']} {...reordering}>
      {sections.map((section, index) => (
        <EditorSection key={section.key} {...parts} section={section} index={index} count={sections.length} />
      ))}
    </div>
  );
}

function EditorSection({
  section,
  index,
  count,
  ...parts
}: PartProps & {
  readonly section: Section<DraftWidget>;
  readonly index: number;
  readonly count: number;
}): ReactNode {
  const { key, widget, widgets, isCollapsed, repeatedBy } = section;
  const title = sectionTitle(section);
  const heading = useRef<HTMLHeadingElement>(null);
  const titleId = useId();
  const isAdded = parts.grid.added === widget.key;
  useEffect(() => {
    if (!isAdded) return;
    heading.current?.scrollIntoView({ block: 'center' });
    heading.current?.focus({ preventScroll: true });
  }, [isAdded]);
  return (
    <section className={classes['section']} aria-labelledby={titleId} data-reorder-key={widget.key}>
      <header className={classes['head']}>
        {/* The menu moves it with the keyboard. */}
        <span className={classes['handle']} data-reorder-handle title={t('Drag to reorder')} aria-hidden>
          <IconGripVertical size={16} />
        </span>
        <h2 id={titleId} ref={heading} tabIndex={-1} className={classes['title']}>
          {title}
        </h2>
        {isCollapsed && (
          <Badge variant="default" tt="none">
            {t('Collapsed at first')}
          </Badge>
        )}
        {repeatedBy !== undefined && (
          <Badge variant="default" tt="none">
            {t('Repeated by {repeatedBy}', { repeatedBy })}
          </Badge>
        )}
        <ContainerMenu
          widgetKey={widget.key}
          containerKey={key}
          title={title}
          isTab={false}
          index={index}
          count={count}
          onAsk={parts.actions.ask}
          onMove={parts.actions.move}
          onAddWidget={parts.actions.addWidget}
        />
      </header>
      <PartGrid parent={key} widgets={widgets} emptyText={t('This section is empty.')} {...parts} />
    </section>
  );
}

const PartGrid = ({
  parent,
  widgets,
  emptyText,
  Grid,
  grid,
}: PartProps & {
  readonly parent: string;
  readonly widgets: readonly DraftWidget[];
  readonly emptyText: string;
}): ReactNode =>
  withVisibleLayouts(widgets).length === 0 ? (
    <p className={classes['empty']} {...gridZone(parent)}>
      {emptyText}
    </p>
  ) : (
    <Grid {...grid} parent={parent} widgets={widgets} />
  );

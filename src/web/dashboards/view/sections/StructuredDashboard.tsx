import { useNavigate, useSearch } from '@tanstack/react-router';
import { useId, type ReactNode } from 'react';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import { t } from '#shared/language/messages.ts';
import type { Section, Structure, Tab } from '#shared/sections/structure.ts';
import { paths } from '../../../app/paths.ts';
import type { OpenDashboard } from '../open-dashboard.ts';
import { WidgetGrid } from '../WidgetGrid.tsx';
import { linkedKeyOf, useLinkedSection } from './linked-section.ts';
import { RepeatedSection } from './RepeatedSection.tsx';
import { SectionView } from './SectionView.tsx';
import classes from './StructuredDashboard.module.css';
import { TabList } from './TabList.tsx';
import { tabTitle } from '#shared/sections/titles.ts';
import { useOpenSections, type OpenSections } from './use-open-sections.ts';

/**
 * A dashboard with tabs or sections. What is in no tab is above the tabs. The URL has the open tab, or in its hash a section,
 * whose tab is then open.
 */
export function StructuredDashboard({
  dashboardId,
  structure,
  open,
  isExpanded,
}: {
  readonly dashboardId: string;
  readonly structure: Structure<Widget>;
  readonly open: OpenDashboard;
  /** Whether all tabs and sections are shown one below the other, to print them. */
  readonly isExpanded: boolean;
}): ReactNode {
  const { 'open-tab': wantedTab } = useSearch({ from: paths.dashboard });
  const navigate = useNavigate({ from: paths.dashboard });
  const linked = useLinkedSection();
  const sections = useOpenSections(dashboardId, linked);
  const id = useId();
  const { tabs } = structure;
  const linkedKey = linkedKeyOf(linked);
  const current =
    tabs.find((tab) => tab.sections.some(({ key }) => key === linkedKey)) ??
    tabs.find(({ key }) => key === wantedTab) ??
    tabs[0];
  const choose = (key: string) =>
    void navigate({ search: (before) => ({ ...before, 'open-tab': key }), hash: '', resetScroll: false });
  const panelId = (key: string) => `${id}-panel-${tabs.findIndex((tab) => tab.key === key)}`;
  const tabId = (key: string) => `${id}-tab-${tabs.findIndex((tab) => tab.key === key)}`;
  const parts = { open, sections, isExpanded };
  return (
    <div className={classes['parts']}>
      {structure.widgets.length > 0 && <WidgetGrid widgets={structure.widgets} open={open} />}
      <Sections of={structure.sections} level={2} {...parts} />
      {current !== undefined && !isExpanded && (
        <>
          <TabList tabs={tabs} current={current.key} tabId={tabId} panelId={panelId} onChoose={choose} />
          <div
            key={current.key}
            role="tabpanel"
            id={panelId(current.key)}
            aria-labelledby={tabId(current.key)}
            className={classes['parts']}
          >
            <TabContent tab={current} level={2} {...parts} />
          </div>
        </>
      )}
      {isExpanded &&
        tabs.map((tab) => (
          <div key={tab.key} className={classes['printed']}>
            <h2 className={classes['printed-title']}>{tabTitle(tab)}</h2>
            <TabContent tab={tab} level={3} {...parts} />
          </div>
        ))}
    </div>
  );
}

interface Parts {
  readonly open: OpenDashboard;
  readonly sections: OpenSections;
  readonly isExpanded: boolean;
}

const TabContent = ({
  tab,
  level,
  ...parts
}: Parts & { readonly tab: Tab<Widget>; readonly level: 2 | 3 }): ReactNode => (
  <>
    {tab.widgets.length > 0 && <WidgetGrid widgets={tab.widgets} open={parts.open} level={level} />}
    <Sections of={tab.sections} level={level} {...parts} />
    {tab.widgets.length === 0 && tab.sections.length === 0 && (
      <p className={classes['empty']}>{t('This tab is empty.')}</p>
    )}
  </>
);

const Sections = ({
  of,
  ...props
}: Parts & { readonly of: readonly Section<Widget>[]; readonly level: 2 | 3 }): ReactNode =>
  of.map((section) =>
    section.repeatedBy === undefined ? (
      <SectionView key={section.key} section={section} {...props} />
    ) : (
      <RepeatedSection key={section.key} section={section} repeatedBy={section.repeatedBy} {...props} />
    ),
  );

import { ActionIcon, UnstyledButton } from '@mantine/core';
import { IconChevronRight, IconLink } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useId, useRef, type ReactNode } from 'react';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import { t } from '#shared/language/messages.ts';
import type { Section } from '#shared/sections/structure.ts';
import { paths } from '../../../app/paths.ts';
import type { HeadingLevel } from '../WidgetCard.tsx';
import type { OpenDashboard, Repetition } from '../open-dashboard.ts';
import { WidgetGrid } from '../WidgetGrid.tsx';
import { anchorOf } from './linked-section.ts';
import classes from './SectionView.module.css';
import { useIsNear } from './use-is-near.ts';
import type { OpenSections } from './use-open-sections.ts';

/**
 * A section: its title, which collapses it, and its widgets, whose results are loaded when it comes into view. A section without a
 * title can't be collapsed.
 */
export function SectionView({
  section,
  title = section.title,
  repetition,
  note,
  level,
  open,
  sections: { linked, isOpen, setOpen },
  isExpanded,
}: {
  readonly section: Section<Widget>;
  readonly title?: string;
  readonly repetition?: Repetition;
  /** Why it is shown only once, or only for some values. */
  readonly note?: ReactNode;
  readonly level: 2 | 3;
  readonly open: OpenDashboard;
  readonly sections: OpenSections;
  readonly isExpanded: boolean;
}): ReactNode {
  const { key, widgets, isCollapsed } = section;
  const anchor = anchorOf(key, repetition?.value);
  const isShown = isExpanded || title === '' || isOpen(anchor, isCollapsed);
  const isLinked = anchor === linked;
  const element = useRef<HTMLElement>(null);
  const titleId = useId();
  const bodyId = useId();
  useEffect(() => {
    if (!isLinked) return;
    element.current?.scrollIntoView();
    element.current?.querySelector('button')?.focus({ preventScroll: true });
  }, [isLinked]);
  const Heading = `h${level}` as const;
  return (
    <section
      ref={element}
      className={classes['section']}
      aria-label={title === '' ? t('Untitled section') : undefined}
      aria-labelledby={title === '' ? undefined : titleId}
    >
      {title !== '' && (
        <header className={classes['head']}>
          <Heading className={classes['title']}>
            <UnstyledButton
              id={titleId}
              className={classes['toggle'] ?? ''}
              aria-expanded={isShown}
              {...(isShown && { 'aria-controls': bodyId })}
              onClick={() => setOpen(anchor, !isShown)}
            >
              <IconChevronRight size={18} className={classes['chevron']} aria-hidden />
              {title}
            </UnstyledButton>
          </Heading>
          <ActionIcon
            className={`${classes['link'] ?? ''} no-print`}
            variant="subtle"
            color="gray"
            size={28}
            aria-label={t('Link to section “{title}”', { title })}
            title={t('Link to this section')}
            renderRoot={(props) => (
              <Link {...props} from={paths.dashboard} to="." search={(before) => before} hash={anchor} />
            )}
          >
            <IconLink size={16} />
          </ActionIcon>
        </header>
      )}
      {isShown && (
        <SectionBody
          id={bodyId}
          widgets={widgets}
          level={title === '' ? level : level === 2 ? 3 : 4}
          open={open}
          repetition={repetition}
          note={note}
          isExpanded={isExpanded}
        />
      )}
    </section>
  );
}

function SectionBody({
  id,
  widgets,
  level,
  open,
  repetition,
  note,
  isExpanded,
}: {
  readonly id: string;
  readonly widgets: readonly Widget[];
  readonly level: HeadingLevel;
  readonly open: OpenDashboard;
  readonly repetition: Repetition | undefined;
  readonly note: ReactNode;
  readonly isExpanded: boolean;
}): ReactNode {
  const element = useRef<HTMLDivElement>(null);
  const isNear = useIsNear(element);
  return (
    <div id={id} ref={element} className={classes['body']}>
      {note}
      {widgets.length === 0 ? (
        <p className={classes['note']}>{t('This section is empty.')}</p>
      ) : (
        <WidgetGrid
          widgets={widgets}
          open={open}
          level={level}
          repetition={repetition}
          isVisible={isNear || isExpanded}
        />
      )}
    </div>
  );
}

import { Skeleton } from '@mantine/core';
import { useMemo, type ComponentProps, type ReactNode } from 'react';
import { labelOf } from '#shared/dashboard-filters/definitions.ts';
import type { Repetition } from '../open-dashboard.ts';
import { SectionView } from './SectionView.tsx';
import classes from './SectionView.module.css';
import { repeatedTitle } from './titles.ts';
import { maxRepetitions, useRepetitions } from './use-repetitions.ts';

type SectionProps = ComponentProps<typeof SectionView>;

/** A section that is shown once for each value of a filter. */
export function RepeatedSection({
  repeatedBy,
  ...props
}: SectionProps & { readonly repeatedBy: string }): ReactNode {
  const { section, open } = props;
  const { filter, found, textOf } = useRepetitions(repeatedBy, section.widgets, open);
  const label = filter === undefined ? repeatedBy : labelOf(filter);
  if (found === 'loading') return <Skeleton h={120} aria-label={`Loading the values of ${label}`} />;
  if (typeof found === 'string') {
    return <SectionView {...props} note={<p className={classes['note']}>{reasons[found](label)}</p>} />;
  }
  const shown = found.slice(0, maxRepetitions);
  return (
    <>
      {shown.map((value) => (
        <Repeated key={value} {...props} filter={repeatedBy} value={value} text={textOf(value)} />
      ))}
      {shown.length < found.length && (
        <p className={classes['note']} role="note">
          {`Shown for ${shown.length} of ${found.length} values. Choose values of “${label}” to see others.`}
        </p>
      )}
      {found.length === 0 && <p className={classes['note']} role="note">{`“${label}” has no values.`}</p>}
    </>
  );
}

/** Why a section is shown once. */
const reasons = {
  waiting: () => '',
  unlisted: (label: string) => `Choose values of “${label}” to see this section for each of them.`,
  range: (label: string) => `“${label}” is a filter of dates or ranges, so this section is not repeated.`,
  unknown: (label: string) => `There is no filter “${label}” here, so this section is not repeated.`,
} as const;

function Repeated({
  filter,
  value,
  text,
  ...props
}: SectionProps & { readonly filter: string; readonly value: string; readonly text: string }): ReactNode {
  const repetition: Repetition = useMemo(() => ({ filter, value }), [filter, value]);
  const title = repeatedTitle(props.section.title, filter, text);
  return <SectionView {...props} title={title} repetition={repetition} />;
}

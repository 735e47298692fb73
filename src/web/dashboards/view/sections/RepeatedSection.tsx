import { useMemo, type ComponentProps, type ReactNode } from 'react';
import { labelOf } from '#shared/dashboard-filters/definitions.ts';
import { maxRepetitions, notRepeatedMessage, repetitionsMessage } from '#shared/sections/repetitions.ts';
import { repeatedTitle } from '#shared/sections/titles.ts';
import type { Repetition } from '../open-dashboard.ts';
import { SectionView } from './SectionView.tsx';
import classes from './SectionView.module.css';
import { useRepetitions } from './use-repetitions.ts';
import { Waiting } from '../../../ui/page/Waiting.tsx';

type SectionProps = ComponentProps<typeof SectionView>;

/** A section that is shown once for each value of a filter. */
export function RepeatedSection({
  repeatedBy,
  ...props
}: SectionProps & { readonly repeatedBy: string }): ReactNode {
  const { section, open } = props;
  const { filter, found, textOf } = useRepetitions(repeatedBy, section.widgets, open);
  const label = filter === undefined ? repeatedBy : labelOf(filter);
  if (found === 'loading') return <Waiting height={120} />;
  if (typeof found === 'string') {
    const note = found === 'waiting' ? '' : notRepeatedMessage(found, label);
    return <SectionView {...props} note={<p className={classes['note']}>{note}</p>} />;
  }
  const shown = found.slice(0, maxRepetitions);
  const message = repetitionsMessage(shown.length, found.length, label);
  return (
    <>
      {shown.map((value) => (
        <Repeated key={value} {...props} filter={repeatedBy} value={value} text={textOf(value)} />
      ))}
      {message !== undefined && (
        <p className={classes['note']} role="note">
          {message}
        </p>
      )}
    </>
  );
}

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

import { Accordion } from '@mantine/core';
import { IconCheck, IconExclamationMark } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import classes from '../sso.module.css';
import type { StepName, StepState } from './states.ts';

const stateWords: Readonly<Record<StepState, string>> = {
  done: t('Done'),
  todo: t('To do'),
  attention: t('Needs attention'),
  optional: t('Optional'),
};

/** A step of the guide: its number and progress, with the content collapsed under its title. */
export const Step = ({
  name,
  number,
  title,
  state,
  summary,
  children,
}: {
  readonly name: StepName;
  readonly number: number;
  readonly title: string;
  readonly state: StepState;
  /** A short description of what is configured. */
  readonly summary?: string | undefined;
  readonly children: ReactNode;
}): ReactNode => (
  <Accordion.Item value={name} className={classes['item'] ?? ''}>
    <Accordion.Control
      className={classes['control'] ?? ''}
      icon={
        <span className={classes['mark']} data-state={state} aria-hidden>
          {state === 'done' ? (
            <IconCheck size={16} />
          ) : state === 'attention' ? (
            <IconExclamationMark size={16} />
          ) : (
            number
          )}
        </span>
      }
    >
      <span className={classes['stepTitle']}>
        <span>{title}</span>
        <span className={classes['stepState']}>
          {stateWords[state]}
          {summary !== undefined && ` · ${summary}`}
        </span>
      </span>
    </Accordion.Control>
    <Accordion.Panel>{children}</Accordion.Panel>
  </Accordion.Item>
);

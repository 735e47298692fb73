import type { ReactNode } from 'react';
import type { ChooseMark, Mark } from '#charts/marks/mark.ts';
import { t } from '#shared/language/messages.ts';
import { clickOf } from '../marks/click.ts';
import classes from './ResultTable.module.css';

/** The content of a cell as a button that opens what can be done with its mark. A page has hundreds, so that it is a plain button. */
export const PickButton = ({
  mark,
  text,
  isPicked,
  isActive,
  choose,
  onFocus,
  children,
}: {
  readonly mark: Mark;
  /** The content as text. */
  readonly text: string;
  readonly isPicked: boolean;
  /** Whether the Tab key reaches it. */
  readonly isActive: boolean;
  readonly choose: ChooseMark | undefined;
  readonly onFocus: () => void;
  readonly children: ReactNode;
}): ReactNode => (
  <button
    type="button"
    className={classes['pick']}
    tabIndex={isActive ? 0 : -1}
    aria-haspopup="menu"
    aria-pressed={isPicked}
    aria-label={text === '' ? t('Empty') : undefined}
    onFocus={onFocus}
    onClick={(event) => choose?.(mark, clickOf(event))}
  >
    {children}
  </button>
);

import type { ReactNode } from 'react';
import classes from '../sso.module.css';

/** A line of a page of the directory: what is to be copied or filled in there, or is easily taken for it. */
export interface SketchField {
  readonly label: string;
  readonly value?: string;
  readonly mark?: 'here' | 'not';
  /** What to do with what is marked. */
  readonly note?: string;
}

/** A page of the directory's console, in outline. */
export interface SketchedPage {
  /** The whole sketch in a sentence, for who does not see it. */
  readonly words: string;
  readonly title: string;
  readonly menu: readonly string[];
  /** The item of the menu that is open. */
  readonly at: string;
  readonly fields: readonly SketchField[];
}

/** Draws where something is, without being a picture of it: pages change their looks more often than their words. */
export const Sketch = ({ page }: { readonly page: SketchedPage }): ReactNode => (
  <div className={classes['sketch']} role="img" aria-label={page.words}>
    <div className={classes['sketchBar']}>{page.title}</div>
    <div className={classes['sketchBody']}>
      <ul className={classes['sketchMenu']}>
        {page.menu.map((item) => (
          <li key={item} {...(item === page.at && { 'data-at': true })}>
            {item}
          </li>
        ))}
      </ul>
      <div className={classes['sketchFields']}>
        {page.fields.map(({ label, value, mark, note }) => (
          <div key={label} className={classes['sketchField']} {...(mark && { 'data-mark': mark })}>
            <div>{label}</div>
            {value !== undefined && <div>{value}</div>}
            {note !== undefined && <div className={classes['sketchNote']}>{note}</div>}
          </div>
        ))}
      </div>
    </div>
  </div>
);

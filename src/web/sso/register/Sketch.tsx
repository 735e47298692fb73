import type { ReactNode } from 'react';
import classes from '../sso.module.css';

/** A line of a page: a value to copy or fill in (`here`), or one that is easily confused with it (`not`). */
export interface SketchField {
  readonly label: string;
  readonly value?: string;
  readonly mark?: 'here' | 'not';
  /** What to do with a marked value. */
  readonly note?: string;
}

/** A page of the directory's console, in outline. */
export interface SketchedPage {
  /** Describes the sketch for screen readers. */
  readonly description: string;
  readonly title: string;
  readonly menu: readonly string[];
  /** The item of the menu that is open. */
  readonly at: string;
  readonly fields: readonly SketchField[];
}

/** A sketch instead of a screenshot, because pages change their looks more often than their labels. */
export const Sketch = ({ page }: { readonly page: SketchedPage }): ReactNode => (
  <div className={classes['sketch']} role="img" aria-label={page.description}>
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

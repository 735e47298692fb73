import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import classes from './Display.module.css';

/** What a wall display shows instead of its dashboard, in letters that can be read from far away. */
export function DisplayMessage({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ReactNode;
}): ReactNode {
  useDocumentTitle(`${title} · Atrium`);
  return (
    <main className={classes['message']} role="main">
      <div role="status">
        <h1 className={classes['title']}>{title}</h1>
        {children !== undefined && <p className={classes['text']}>{children}</p>}
      </div>
    </main>
  );
}

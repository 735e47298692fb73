import type { ReactElement } from 'react';

/** Returns how a link to a folder in the same list is rendered; `undefined` is the top level. */
export type FolderLink = (folder: string | undefined) => (props: object) => ReactElement;

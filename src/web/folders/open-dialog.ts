import type { Folder } from '#contract/folders.ts';
import type { Item } from './queries.ts';

/** What is done with folders, or with items in them, in a dialog. */
export type OpenDialog =
  | { readonly action: 'create'; readonly parent: Folder | undefined }
  | { readonly action: 'rename' | 'move' | 'share' | 'delete'; readonly folder: Folder }
  | {
      readonly action: 'move items';
      readonly items: readonly Item[];
      /** The folder that they are in; undefined if they are in none, or not all in the same. */
      readonly from: string | undefined;
    };

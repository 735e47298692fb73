import type { Folder } from '#contract/records/folders.ts';
import type { Item } from '../ui/folders/queries.ts';

/** What is done with folders, or with items in them, in a dialog. */
export type OpenDialog =
  | { readonly action: 'create'; readonly parent: Folder | undefined }
  | { readonly action: 'rename' | 'move' | 'share' | 'delete'; readonly folder: Folder }
  | {
      readonly action: 'move items';
      readonly items: readonly Item[];
      /** The folder that they are in, `none` if they are in none; undefined if they are not all in the same. */
      readonly from: string | undefined;
      /** Called when all of them have been moved. */
      readonly onDone?: () => void;
    }
  | {
      readonly action: 'delete items';
      readonly items: readonly Item[];
      /** Called when all of them are in the trash. */
      readonly onDone: () => void;
    };

import type { Action } from '../permissions.ts';

/** The permission to create, change and delete a source of uploaded files. */
export const manageFiles: Action = 'data_source.manage_files';

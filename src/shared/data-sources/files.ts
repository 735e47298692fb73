import type { Action } from '../permissions.ts';

/** The permission to create a source of uploaded files. */
export const manageFiles: Action = 'data_source.manage_files';

/** The permission to change and delete one. */
export const editFiles: Action = 'data_source.edit_files';

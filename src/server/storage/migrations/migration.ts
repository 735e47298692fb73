import type { Engine } from '../prepared-query.ts';

/**
 * Returns the statements of one step in the SQL that both engines share; `text` is the engine's type of text. Modules
 * that know the engine return the SQL that they don't share.
 */
export type Migration = (types: { readonly text: string }, engine: Engine) => string[];

import type { Engine } from '../prepared-query.ts';

/**
 * Returns the statements of one step, written in what both engines share; `text` is the engine's type of text. What
 * the engines do not share is asked of those who know the engine.
 */
export type Migration = (types: { readonly text: string }, engine: Engine) => string[];

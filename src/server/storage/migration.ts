/** Returns the statements of one step, written in what both engines share; `text` is the engine's type of text. */
export type Migration = (types: { readonly text: string }) => string[];

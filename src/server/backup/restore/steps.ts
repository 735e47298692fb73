/** What a restore has just done. */
export type RestoreStep =
  | 'marked'
  | 'verified'
  | 'file copied'
  | 'files copied'
  | 'database copied'
  | 'schema created'
  | 'rows changed'
  | 'database restored';

/** Called after each step, so that a test can end the process there. */
export type OnStep = (step: RestoreStep) => Promise<void> | void;

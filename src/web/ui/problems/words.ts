import { ApiProblem, Unreachable } from '../../app/api.ts';

/** What a person reads of an error: what happened, each fault, and what the server calls it, for its operator. */
export interface ErrorWords {
  readonly title: string;
  readonly detail: string;
  readonly faults: readonly string[];
  readonly requestId?: string;
}

/** The one place where an error of the API turns into words. */
export function wordsOf(error: unknown): ErrorWords {
  if (error instanceof Unreachable) {
    return {
      title: 'The server cannot be reached',
      detail: 'Look at your connection. Nothing that you wrote is lost; try again.',
      faults: [],
    };
  }
  if (!(error instanceof ApiProblem)) {
    return { title: 'Something went wrong here', detail: 'Load the page anew.', faults: [] };
  }
  const { code, title, detail, errors = [], requestId } = error.problem;
  const faults = errors.map(({ pointer, message }) =>
    pointer === '' ? message : `${pointer.slice(1)} ${message}`,
  );
  const words = { title, detail, faults };
  if (code === 'not_found') {
    return {
      ...words,
      title: 'There is nothing here',
      detail: 'It does not exist, was deleted, or is not open to you. Whoever sent you here can tell which.',
    };
  }
  return code === 'internal' ? { ...words, requestId } : words;
}

/** An error in one sentence, for a notification. */
export function sentenceOf(error: unknown): string {
  const { detail, faults } = wordsOf(error);
  return [detail, ...faults].join(' ');
}

import { t } from '#shared/language/messages.ts';
import { MissingChunk } from '../connection/chunks.ts';
import { PasskeyFailure } from '../passkeys/passkey-failure.ts';
import { ApiProblem, Unreachable } from '../../app/api.ts';

/** How an error is shown: what happened, each fault, and the id of the request for the operator. */
export interface ErrorMessage {
  readonly title: string;
  readonly detail: string;
  readonly faults: readonly string[];
  readonly requestId?: string;
}

/** Returns the message for an error. Every error of the API is worded here. */
export function errorMessage(error: unknown): ErrorMessage {
  if (error instanceof Unreachable) {
    return {
      title: t('The server can’t be reached'),
      detail: t('Check your connection and try again. Your changes aren’t lost.'),
      faults: [],
    };
  }
  if (error instanceof MissingChunk) {
    return {
      title: t('This part of Atrium couldn’t be loaded'),
      detail: t(
        'The server may have been upgraded since you opened this page. Reload the page. If that doesn’t help, ask the operator of this server. Your drafts are saved in this browser.',
      ),
      faults: [],
    };
  }
  if (error instanceof PasskeyFailure) {
    const { title, detail } = error;
    return { title, detail, faults: [] };
  }
  if (!(error instanceof ApiProblem)) {
    return { title: t('Something went wrong'), detail: t('Reload the page.'), faults: [] };
  }
  const { code, title, detail, errors = [], requestId } = error.problem;
  const faults = errors.map(({ pointer, message }) =>
    pointer === '' ? message : `${pointer.slice(1)} ${message}`,
  );
  const message = { title, detail, faults };
  if (code === 'not_found') {
    return {
      ...message,
      title: t('Not found'),
      detail: t(
        'It doesn’t exist, was deleted, or you don’t have access to it. Check the address, or ask the person who sent it to you.',
      ),
    };
  }
  if (code === 'second_factor_missing') {
    return {
      ...message,
      title: t('Your account needs a second factor'),
      detail: t(
        'You signed in with a password, and that isn’t enough for this. Set up a second factor in your account, then try again.',
      ),
    };
  }
  if (code === 'quota_exceeded') {
    return {
      ...message,
      title: t('A limit of what may be stored is reached'),
      detail: t(
        'Delete what is no longer needed, and delete it permanently in the trash, or ask the operator of this server to raise the limit.',
      ),
    };
  }
  return code === 'internal' ? { ...message, requestId } : message;
}

/** Returns the message for an error as one paragraph, for a notification. */
export function errorSentence(error: unknown): string {
  const { detail, faults } = errorMessage(error);
  return [detail, ...faults].join(' ');
}

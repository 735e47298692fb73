import type { SsoTest } from '#contract/sso/sign-in.ts';
import { t } from '#shared/language/messages.ts';
import type { DirectoryTexts } from '../directory-kinds.ts';
import { roleWithArticle } from '../../ui/text/roles.ts';

/** The outcome of a test in one sentence, and what to do about it. */
export interface TestVerdict {
  readonly tone: 'good' | 'bad' | 'waiting';
  readonly sentence: string;
  readonly remedy: string;
}

/** Returns the outcome of a test, which the first failed check decides. */
export function verdictOf(
  test: SsoTest,
  { shortName, redirectMismatch, redirectRemedy }: DirectoryTexts,
): TestVerdict {
  if (test.state === 'waiting') {
    return {
      tone: 'waiting',
      sentence: t('{shortName} has not sent the browser back yet.', { shortName }),
      remedy: t(
        'If it showed {redirectMismatch} or another error about the redirect URI, the URI isn’t registered there. {redirectRemedy}',
        { redirectMismatch, redirectRemedy },
      ),
    };
  }
  const failed = test.checks.find(({ passed }) => !passed);
  if (failed !== undefined)
    return { tone: 'bad', sentence: failed.message, remedy: failed.remedy ?? t('Test again.') };
  return {
    tone: 'good',
    sentence: t('The sign-in works: {person} would sign in as {role}.', {
      person: test.email ?? t('the person'),
      role: test.role === undefined ? t('a member') : roleWithArticle(test.role),
    }),
    remedy: '',
  };
}

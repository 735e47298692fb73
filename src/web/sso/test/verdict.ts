import type { SsoTest } from '#contract/sso/sign-in.ts';
import type { DirectoryKind } from '../connection/connection.ts';
import { directoryTexts } from '../directory-kinds.ts';
import { withArticle } from '../../ui/text/nouns.ts';

/** The outcome of a test in one sentence, and what to do about it. */
export interface TestVerdict {
  readonly tone: 'good' | 'bad' | 'waiting';
  readonly sentence: string;
  readonly remedy: string;
}

/** Returns the outcome of a test, which the first failed check decides. */
export function verdictOf(test: SsoTest, kind: DirectoryKind): TestVerdict {
  const { shortName, redirectMismatch, redirectRemedy } = directoryTexts[kind];
  if (test.state === 'waiting') {
    return {
      tone: 'waiting',
      sentence: `${shortName} has not sent the browser back yet.`,
      remedy: `If it showed ${redirectMismatch} or another error about the redirect URI, the URI isn’t registered there. ${redirectRemedy}`,
    };
  }
  const failed = test.checks.find(({ passed }) => !passed);
  if (failed !== undefined)
    return { tone: 'bad', sentence: failed.message, remedy: failed.remedy ?? 'Test again.' };
  return {
    tone: 'good',
    sentence: `The sign-in works: ${test.email ?? 'the person'} would sign in as ${withArticle(test.role ?? 'member')}.`,
    remedy: '',
  };
}

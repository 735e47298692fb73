import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SsoTest } from '#contract/sso/sign-in.ts';
import { directoryTexts } from '../directory-kinds.ts';
import { verdictOf } from './verdict.ts';

const waiting: SsoTest = { id: 'i', connectionId: 'c', state: 'waiting', createdAt: '', checks: [] };
const passed = { code: 'discovery', passed: true, message: 'The document is there.' };

test('a test that never came back names the error that the directory may have shown', () => {
  const entra = verdictOf(waiting, directoryTexts.entra);
  assert.equal(entra.sentence, 'Entra has not sent the browser back yet.');
  assert.match(entra.remedy, /^If it showed AADSTS50011.*add exactly the redirect URI of step 1/);
  assert.match(verdictOf(waiting, directoryTexts.adfs).remedy, /MSIS9224/);
});

test('the first failed check decides', () => {
  const failed = (code: string) => ({ code, passed: false, message: `No ${code}.`, remedy: `Add ${code}.` });
  assert.deepEqual(
    verdictOf(
      { ...waiting, state: 'done', checks: [passed, failed('email'), failed('domain')] },
      directoryTexts.entra,
    ),
    { tone: 'bad', sentence: 'No email.', remedy: 'Add email.' },
  );
});

test('a test that passed names the person and their role', () => {
  assert.deepEqual(
    verdictOf(
      { ...waiting, state: 'done', checks: [passed], email: 'bob@contoso.com', role: 'viewer' },
      directoryTexts.entra,
    ),
    { tone: 'good', sentence: 'The sign-in works: bob@contoso.com would sign in as a viewer.', remedy: '' },
  );
});

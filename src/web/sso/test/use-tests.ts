import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SsoTest } from '#contract/sso/sign-in.ts';
import { findJson, storeJson } from '../../ui/browser/stored-json.ts';
import { testQuery, type DirectoryKey } from '../queries.ts';
import { useTestStart } from '../connection/use-saving.ts';

/** Starts tests, and has the last one that this tab started, as long as the server stores it. */
export interface SsoTests {
  readonly lastTest: SsoTest | undefined;
  readonly isStarting: boolean;
  readonly error: Error | null;
  start(): void;
}

/**
 * Sends the browser to the directory for a test. Stores the test's id first: the directory may show an error without sending
 * the browser back, and a browser that goes back may restore this page from its cache.
 */
export function useTests(directory: DirectoryKey): SsoTests {
  const { orgId, connectionId = '' } = directory;
  const key = `atrium:sso-test:${orgId}${connectionId}`;
  const [id, setId] = useState(() =>
    findJson(sessionStorage, key, (value) => (typeof value === 'string' ? value : undefined)),
  );
  const { data: lastTest } = useQuery({ ...testQuery(orgId, id ?? ''), enabled: id !== undefined });
  const { mutate, isPending, error } = useTestStart(directory, (test) => {
    storeJson(sessionStorage, key, test.id);
    setId(test.id);
    location.assign(test.url);
  });
  return { lastTest: id === undefined ? undefined : lastTest, isStarting: isPending, error, start: mutate };
}

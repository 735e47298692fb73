import { QueryClient } from '@tanstack/react-query';
import { ApiProblem, Unreachable } from '../../app/api.ts';

const maxRetries = 2;
/** How often a request waits for its turn after too many of them, and how long at most: longer waits are shown instead. */
const maxWaits = 5;
const maxWaitSeconds = 10;
const longestDelayMs = 30_000;

/** Returns the cache of responses. Retries only if the server is temporarily unavailable, or after too many requests. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        networkMode: 'always',
        retry: shouldRetry,
        retryDelay,
      },
      mutations: { networkMode: 'always' },
    },
  });

/** Whether a request failed only because the server was away or busy. */
export const isTransient = (error: Error): boolean =>
  error instanceof Unreachable || (error instanceof ApiProblem && error.code === 'unavailable');

export function shouldRetry(count: number, error: Error): boolean {
  if (waitSecondsOf(error) !== undefined) return count < maxWaits;
  return count < maxRetries && isTransient(error);
}

/** Returns how long a request waits that was one of too many, or undefined if it failed otherwise. */
function waitSecondsOf(error: Error): number | undefined {
  if (!(error instanceof ApiProblem) || error.code !== 'too_many_attempts') return undefined;
  const seconds = error.retryAfterSeconds;
  return seconds !== undefined && seconds <= maxWaitSeconds ? seconds : undefined;
}

/** Waits for different times, so that requests that were refused together don't come back at the same moment. */
export function retryDelay(count: number, error: Error): number {
  const seconds = waitSecondsOf(error);
  if (seconds !== undefined) return (seconds + Math.random()) * 1_000;
  return Math.min(1_000 * 2 ** count, longestDelayMs);
}

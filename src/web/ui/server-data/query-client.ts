import { QueryClient } from '@tanstack/react-query';
import { ApiProblem, Unreachable } from '../../app/api.ts';

const maxRetries = 2;

/** Returns the cache of responses. Retries only if the server is temporarily unavailable. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        networkMode: 'always',
        retry: (count, error) => count < maxRetries && isTransient(error),
      },
      mutations: { networkMode: 'always' },
    },
  });

/** Whether a request failed only because the server was away or busy. */
export const isTransient = (error: Error): boolean =>
  error instanceof Unreachable || (error instanceof ApiProblem && error.code === 'unavailable');

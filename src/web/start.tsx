import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiProblem, Unreachable } from './app/api.ts';
import { replaceFailedAddress } from './ui/problems/page-problem.ts';
import { MissingChunk } from './ui/connection/chunks.ts';
import { createQueryClient } from './ui/server-data/query-client.ts';
import { createAppRouter } from './app/routes.tsx';
import { shareStyleNonce } from './ui/browser/nonce.ts';
import { Theme } from './ui/Theme.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
shareStyleNonce();
replaceFailedAddress();
const queryClient = createQueryClient();
const router = createAppRouter(queryClient);

createRoot(root, {
  // What the server or the network caused is shown by the page; the others are bugs.
  onCaughtError(error) {
    if (!(error instanceof ApiProblem || error instanceof Unreachable || error instanceof MissingChunk))
      console.error(error);
  },
}).render(
  <StrictMode>
    <Theme>
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-center" />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </Theme>
  </StrictMode>,
);

import type { QuerySandbox } from './sandbox.ts';

/** Runs workers as processes of the server's own user. `reason` says why there is no better way, `remedy` what to do. */
export function createNoSandbox(reason: string, remedy: string): QuerySandbox {
  return {
    state: { kind: 'none', reason, remedy },
    launch: ({ trustedCertificates }, nodeArguments) => ({
      command: process.execPath,
      args: nodeArguments,
      options: {
        env: trustedCertificates === undefined ? {} : { NODE_EXTRA_CA_CERTS: trustedCertificates },
      },
      pathOf: (path) => path,
      findWorkerProcess: (child) => child.pid,
      kill: (child) => void child.kill('SIGKILL'),
      finish: async () => {},
    }),
  };
}

import type { QuerySandbox } from './sandbox.ts';

/** Runs workers as the server's own user. `reason` says why workers can't be isolated, `remedy` what to do about it. */
export function createNoSandbox(reason: string, remedy: string, compiledCode?: string): QuerySandbox {
  return {
    state: { kind: 'none', reason, remedy },
    ...(compiledCode !== undefined && { compiledCode }),
    launch: ({ trustedCertificates }, nodeArguments) => ({
      command: process.execPath,
      args: nodeArguments,
      options: {
        env: {
          ...(compiledCode !== undefined && { NODE_COMPILE_CACHE: compiledCode }),
          ...(trustedCertificates !== undefined && { NODE_EXTRA_CA_CERTS: trustedCertificates }),
        },
      },
      pathOf: (path) => path,
      findWorkerProcess: (child) => child.pid,
      kill: (child) => void child.kill('SIGKILL'),
      finish: async () => {},
    }),
  };
}

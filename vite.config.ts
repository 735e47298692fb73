import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const outDir = join(import.meta.dirname, 'dist', 'web');

export default defineConfig({
  root: join(import.meta.dirname, 'src', 'web'),
  plugins: [react(), compressed()],
  // The server puts a fresh nonce in this place with every answer.
  html: { cspNonce: 'NONCE-OF-THE-RESPONSE' },
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2023',
    chunkSizeWarningLimit: 1_000,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:3000' } },
});

/** Writes each text beside itself as Brotli and gzip, so that no answer has to be compressed. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    closeBundle() {
      for (const file of globSync('assets/*.{js,css,svg}', { cwd: outDir })) {
        const path = join(outDir, file);
        const text = readFileSync(path);
        const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
        writeFileSync(`${path}.br`, brotliCompressSync(text, { params }));
        writeFileSync(`${path}.gz`, gzipSync(text));
      }
    },
  };
}

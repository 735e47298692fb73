import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const outDir = join(import.meta.dirname, 'dist', 'web');

/** What is loaded together until the first dashboard is drawn, each without what those above it contain. */
const loadedTogether = [
  { name: 'language', from: 'src/web/main.tsx' },
  { name: 'index', from: 'src/web/start.tsx' },
  { name: 'dashboard', from: 'src/web/dashboards/view/DashboardPage.tsx' },
  { name: 'charts', from: 'src/web/visualizations/echarts/ChartView.tsx' },
  { name: 'basic-charts', from: 'src/charts/basic-charts.ts' },
];

/**
 * One chunk for each of these, with everything that it imports. Without them, the build makes a chunk of every few modules that the
 * same pages share: a hundred requests to the first dashboard, whose headers alone have 80 KB.
 */
const groups = loadedTogether.map(({ name, from }, index) => ({
  name,
  test: (id: string) => id === join(import.meta.dirname, from),
  priority: loadedTogether.length - index,
}));

export default defineConfig({
  root: join(import.meta.dirname, 'src', 'web'),
  plugins: [react(), preloadStart(), packageList(), compressed()],
  // A catalog of messages has a name for each of its thousands of messages otherwise.
  json: { namedExports: false, stringify: true },
  // The server puts a fresh nonce in this place with every answer.
  html: { cspNonce: 'NONCE-OF-THE-RESPONSE' },
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2023',
    chunkSizeWarningLimit: 1_000,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:3000' } },
});

/** Lets browsers load the application while the language of the page is found, which has to be known before it runs. */
function preloadStart(): Plugin {
  const start = join(import.meta.dirname, 'src', 'web', 'start.tsx');
  return {
    name: 'preload-start',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) =>
        Object.values(bundle).flatMap((file) =>
          file.type === 'chunk' && file.moduleIds.includes(start)
            ? [
                {
                  tag: 'link',
                  attrs: { rel: 'modulepreload', href: `/${file.fileName}` },
                  injectTo: 'head' as const,
                },
              ]
            : [],
        ),
    },
  };
}

/**
 * Writes a list of the packages of which the pages contain code or styles, for the licenses of a release
 * (scripts/package/shipped-packages.ts).
 */
function packageList(): Plugin {
  return {
    name: 'package-list',
    apply: 'build',
    generateBundle(_options, bundle) {
      const scripts = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
      const styles = [...this.getModuleIds()].filter((id) => id.endsWith('.css'));
      const packages = new Set([...scripts, ...styles].flatMap((id) => packageOf(id) ?? []));
      this.emitFile({
        type: 'asset',
        fileName: '.packages.json',
        source: JSON.stringify([...packages].toSorted()),
      });
    },
  };
}

/** Returns the path of the package that a module is from, as in package-lock.json; undefined for Atrium's own. */
function packageOf(id: string): string | undefined {
  // Code that the build adds, such as the one that loads pages.
  const builder = /^\0(vite|rolldown)\//.exec(id)?.[1];
  if (builder !== undefined) return `node_modules/${builder}`;
  const path = relative(import.meta.dirname, id.replace(/^\0/, ''))
    .split(sep)
    .join('/');
  return /^node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
}

/** Writes each text beside itself as Brotli and gzip, so that no answer has to be compressed. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    closeBundle() {
      for (const file of globSync('assets/*.{js,css,svg}', { cwd: outDir })) {
        const path = join(outDir, file);
        const text = readFileSync(path);
        // The best quality, with a window as large as the file: 7 % less than quality 9, for a few more seconds in all.
        const params = {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
          [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
        };
        writeFileSync(`${path}.br`, brotliCompressSync(text, { params }));
        writeFileSync(`${path}.gz`, gzipSync(text));
      }
    },
  };
}

import { chromium, type Browser, type BrowserServer } from '@playwright/test';
import chromiumBuild from '@sparticuz/chromium';
import { atEndOf, type Owner } from './endings.ts';

/**
 * Changes to the flags of Chromium for small cloud machines: closing a page ends a browser of a single process, web
 * security must stay enabled, and an emulated graphics card renders several times slower than none.
 */
const unwanted = [
  '--single-process',
  '--no-zygote',
  '--disable-web-security',
  '--disable-site-isolation-trials',
  '--ignore-gpu-blocklist',
  '--in-process-gpu',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
];

/**
 * Returns a real browser for `owner`, without pages, cookies or storage of others. It is the one at
 * `ATRIUM_TEST_BROWSER_URL`, which `npm test` sets, or a new one.
 */
export async function startBrowser(owner: Owner): Promise<Browser> {
  const sharedUrl = process.env['ATRIUM_TEST_BROWSER_URL'];
  const browser =
    sharedUrl === undefined
      ? await chromium.launch(await launchOptions())
      : await chromium.connect(sharedUrl);
  atEndOf(owner, () => browser.close());
  return browser;
}

/** Starts a browser for the tests of several processes. The caller handles signals. */
export async function startSharedBrowser(): Promise<BrowserServer> {
  const signals = { handleSIGHUP: false, handleSIGINT: false, handleSIGTERM: false };
  return chromium.launchServer({ ...(await launchOptions()), ...signals, host: '127.0.0.1' });
}

async function launchOptions(): Promise<{ executablePath: string; args: string[] }> {
  return {
    executablePath: await chromiumBuild.executablePath(),
    args: [...chromiumBuild.args.filter((name) => !unwanted.includes(name)), '--disable-gpu'],
  };
}

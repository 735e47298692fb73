import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test, type TestContext } from 'node:test';
import type { Page } from '@playwright/test';
import { onePixel } from '../../support/image-files.ts';
import { openNewsroom } from '../../support/reports/newsroom.ts';
import { assertAccessible, expect, startWebOffice } from '../web-office.ts';

const layout = { x: 0, y: 0, w: 6, h: 4 };
const imageId = createHash('sha256').update(onePixel).digest('hex');

/** Opens an office whose dashboard has a filter, texts, links and an image, on two tabs. */
async function openBoard(context: TestContext) {
  const office = await startWebOffice(context);
  const { server } = office;
  const room = await openNewsroom(server);
  const { id: reportId } = await room.save({
    name: 'Region',
    query: "SELECT {{region}} AS region, '/dashboards' AS page",
    parameters: [{ name: 'region', type: 'text', default: 'north' }],
    visualization: { kind: 'table', columns: [{ field: 'region' }, { field: 'page', display: 'link' }] },
  });
  const uploaded = await server.call(`POST /api/organizations/${room.organizationId}/images`, {
    as: room.owner,
    headers: { 'content-type': 'image/png' },
    body: onePixel,
  });
  assert.equal(uploaded.status, 201, uploaded.text);
  const text = '[Elsewhere](https://elsewhere.example/a) and [Reports](/reports)';
  const widgets = [
    { reportId: 'builtin:tab', config: { key: 'now', title: 'Now' } },
    { reportId: 'builtin:tab', config: { key: 'more', title: 'More' } },
    { reportId, layout, config: { title: 'Region', parent: 'now' } },
    { reportId: 'builtin:text', layout: { ...layout, x: 6 }, config: { text, parent: 'now' } },
    {
      reportId: 'builtin:image',
      layout,
      config: { image: imageId, description: 'Our logo', parent: 'more' },
    },
  ];
  const body = { name: 'Board', organizationId: room.organizationId, widgets };
  const created = await server.call('POST /api/dashboards', { as: room.owner, body });
  assert.equal(created.status, 201, created.text);
  const { id } = created.body;
  const createLink = async (more: object = {}) => {
    const response = await server.call(`POST /api/dashboards/${id}/display-links`, {
      as: room.owner,
      body: { name: 'Lobby', ...more },
    });
    assert.equal(response.status, 201, response.text);
    return response.body as { id: string; token: string };
  };
  return { office, room, id, path: `/dashboards/${id}`, createLink };
}

const title = (page: Page) => page.getByRole('heading', { level: 1 });

test('a link is created in the browser, opened without a session, listed and revoked', async (context) => {
  const { office, room, path } = await openBoard(context);
  const page = await office.open(`${path}?region=south`, room.owner);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Present' }).click();
  const dialog = page.getByRole('dialog', { name: 'Present' });
  await dialog.getByRole('textbox', { name: 'Seconds for each tab or section' }).fill('3600');
  await dialog.getByRole('button', { name: 'Create a link' }).click();
  await expect(dialog.getByLabel('Name of the display')).toBeFocused();
  await dialog.getByLabel('Name of the display').fill('Lobby');
  await dialog.getByLabel('Last day (optional)').fill('2099-12-31');
  await expect(dialog.getByText('nobody can change on the display: region: south')).toBeVisible();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Create the link' }).click();
  const address = await dialog.getByRole('textbox', { name: 'Link', exact: true }).inputValue();
  assert.match(address, /\/display\?present-every=3600#atrium_display_[\w-]{43}$/);
  const item = dialog.getByRole('list', { name: 'Links' }).getByRole('listitem');
  await expect(item).toContainText('Not used yet');
  await expect(item).toContainText('expires Dec 31, 2099');
  await expect(item).toContainText('Filters: region: south');
  await assertAccessible(page);

  const display = await office.open(address.slice(office.url.length));
  await expect(title(display)).toHaveText('Board · Now');
  await expect(display.getByRole('article', { name: 'Region' })).toContainText('south');

  await page.reload();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Present' }).click();
  await expect(item).toContainText('Last used');
  await expect(dialog.getByRole('textbox', { name: 'Link', exact: true })).toHaveCount(0);
  await item.getByRole('button', { name: 'Revoke the link Lobby' }).click();
  const confirmation = page.getByRole('dialog', { name: 'Revoke the link “Lobby”?' });
  await assertAccessible(page);
  await confirmation.getByRole('button', { name: 'Revoke' }).click();
  await expect(item).toHaveCount(0);
  await display.reload();
  await expect(title(display)).toHaveText('This link no longer works');
  await assertAccessible(display);
});

test('what a link withholds is listed under it with the reason, and the display says who can see it', async (context) => {
  const { office, room, id, path } = await openBoard(context);
  const { server } = office;
  const admin = await server.createMember(room.organizationId, 'admin');
  const editor = await server.createMember(room.organizationId, 'editor');
  const secret = await room.save({ name: 'Salaries', query: "SELECT 'secret_row' AS row" });
  await server.call(`PUT /api/reports/${secret.id}/access`, {
    as: room.owner,
    body: { restricted: true, members: [] },
  });
  const { body: dashboard } = await server.call(`GET /api/dashboards/${id}`, { as: editor });
  const widgets = [...dashboard.widgets, { reportId: secret.id, layout: { ...layout, y: 9 } }];
  const saved = await server.call(`PUT /api/dashboards/${id}`, {
    as: editor,
    headers: { 'if-match': '*' },
    body: { name: 'Board', widgets },
  });
  assert.equal(saved.status, 200, saved.text);
  const link = await server.call(`POST /api/dashboards/${id}/display-links`, {
    as: admin,
    body: { name: 'Lobby' },
  });
  const page = await office.open(path, room.owner);
  // The menu closes when the page is drawn again.
  await expect(page.getByRole('article', { name: 'Region' })).toContainText('north');
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Present' }).click();
  const item = page.getByRole('list', { name: 'Links' }).getByRole('listitem').filter({ hasText: 'Lobby' });
  await expect(item).toContainText('1 widget isn’t shown:');
  await expect(item.getByRole('listitem')).toHaveText(
    'Salaries: a person who last changed the widget, or the filters it uses, can’t see its report. Someone who can has to change them and save.',
  );
  await assertAccessible(page);

  const display = await office.open(`/display?present-every=3600#${link.body.token}`);
  const withheld = display.getByRole('article', { name: 'Not shown' });
  await expect(withheld).toContainText('This can’t be shown here');
  await expect(withheld).toContainText('People who manage the dashboard can see why');
  await expect(display.getByText('Salaries')).toHaveCount(0);
});

test('a display asks for nothing but its dashboard, and sends its token nowhere else', async (context) => {
  const { office, room, createLink } = await openBoard(context);
  const logo = await office.server.call(`PUT /api/organizations/${room.organizationId}/logo`, {
    as: room.owner,
    headers: { 'content-type': 'image/png' },
    body: onePixel,
  });
  const { logoId } = logo.body as { readonly logoId: string };
  const { token } = await createLink();
  const page = await office.open('/display', room.owner);
  await expect(title(page)).toHaveText('This address is incomplete');
  await assertAccessible(page);
  const requests: { readonly method: string; readonly url: URL; readonly headers: Record<string, string> }[] =
    [];
  page.on('request', (request) => {
    if (/^(?:data|blob):/.test(request.url())) return;
    requests.push({ method: request.method(), url: new URL(request.url()), headers: request.headers() });
  });
  await page.goto(`${office.url}/display?present-every=5#${token}`);
  await page.reload();
  await expect(title(page)).toHaveText('Board · Now');
  const image = page.getByRole('img', { name: 'Our logo' });
  await expect(image).toBeVisible();
  await expect
    .poll(() => image.evaluate((each) => each instanceof HTMLImageElement && each.naturalWidth))
    .toBe(1);
  await expect(page.locator(`img[src="/api/logos/${logoId}"]`)).toHaveJSProperty('naturalWidth', 1);
  await expect(title(page)).toHaveText('Board · Now');
  await assertAccessible(page);
  await page.keyboard.press(' ');

  const other = page.getByRole('link', { name: 'Elsewhere' });
  await expect(other).toHaveAttribute('rel', 'noopener noreferrer nofollow');
  await expect(page.getByRole('link')).toHaveCount(1);
  await expect(page.getByText('and Reports')).toBeVisible();
  await expect(page.getByRole('cell', { name: '/dashboards' })).toBeVisible();
  await expect(page.getByRole('navigation')).toHaveCount(0);

  for (const { url, headers } of requests) {
    assert.ok(!url.href.includes(token) || url.hash === `#${token}`, 'the fragment is sent to nobody');
    assert.equal(url.origin, office.url);
    assert.equal(headers['referer'] ?? '', '');
  }
  const calls = requests.filter(({ url }) => url.pathname.startsWith('/api/'));
  const expected = [
    'GET /api/display',
    'GET /api/display/results',
    `GET /api/display/images/${imageId}`,
    // Everyone who knows its random ID can download a logo.
    `GET /api/logos/${logoId}`,
  ];
  assert.deepEqual(
    [...new Set(calls.map(({ method, url }) => `${method} ${url.pathname}`))].toSorted(),
    expected.toSorted(),
  );
  const isOfDisplay = ({ url }: (typeof requests)[number]) => url.pathname.startsWith('/api/display');
  for (const { headers } of calls.filter(isOfDisplay)) {
    // The browser has a session, too.
    assert.equal(headers['cookie'], undefined);
    assert.equal(headers['authorization'], `Bearer ${token}`);
  }
  const others = requests.filter((request) => !isOfDisplay(request));
  assert.ok(others.every(({ headers }) => headers['authorization'] === undefined));
  const stored = await page.evaluate(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
  );
  assert.ok(!String(stored).includes(token), 'the token is only in the address');
  assert.ok(!office.server.log.some((line) => line.includes(token)), 'no token in the log');
});

test('a display shows its last picture while the server is away, returns, and stops when it is revoked', async (context) => {
  const { office, room, id, path, createLink } = await openBoard(context);
  const link = await createLink({ filters: 'region=east' });
  const page = await office.open('/display', undefined);
  await page.clock.install();
  await page.goto(`${office.url}/display?present-every=3600#${link.token}`);
  const region = page.getByRole('article', { name: 'Region' });
  await expect(region).toContainText('east');

  await office.stopListening();
  await page.clock.fastForward(31_000);
  const notice = page.getByRole('status').filter({ hasText: 'The server hasn’t responded since' });
  await expect(notice).toBeVisible();
  await expect(region).toContainText('east');
  await assertAccessible(page);
  await page.clock.fastForward(65_000);
  await expect(region).toContainText('east');
  await office.listenAgain();
  const renamed = await office.server.call(`PATCH /api${path}`, {
    as: room.owner,
    body: { name: 'Renamed' },
    headers: { 'if-match': '*' },
  });
  assert.equal(renamed.status, 200, renamed.text);
  await page.clock.fastForward(75_000);
  await expect(title(page)).toHaveText('Renamed · Now');
  await expect(notice).toHaveCount(0);

  const revoked = await office.server.call(`DELETE /api/dashboards/${id}/display-links/${link.id}`, {
    as: room.owner,
  });
  assert.equal(revoked.status, 204, revoked.text);
  await page.clock.fastForward(31_000);
  await expect(title(page)).toHaveText('This link no longer works');
  await expect(page.getByText('east')).toHaveCount(0);
});

test('a display writes as its organization does', async (context) => {
  const { office, room, createLink } = await openBoard(context);
  const { token } = await createLink();
  const changed = await office.server.call(`PATCH /api/organizations/${room.organizationId}`, {
    as: room.owner,
    body: { locale: 'de-DE', accentColor: '#a0325a' },
  });
  assert.equal(changed.status, 200, changed.text);
  const page = await office.open(`/display?present-every=3600#${token}`);
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await page.mouse.move(10, 10);
  await expect(page.getByRole('toolbar', { name: 'Präsentation' })).toBeVisible();
  await expect(title(page)).toHaveText('Board · Now');
});

test('links are only for people who may share the dashboard', async (context) => {
  const { office, room, path } = await openBoard(context);
  const editor = await office.server.createMember(room.organizationId, 'editor');
  const page = await office.open(path, editor);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Present' }).click();
  const dialog = page.getByRole('dialog', { name: 'Present' });
  await expect(dialog.getByText('Only its owner and the admins')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Create a link' })).toHaveCount(0);
});

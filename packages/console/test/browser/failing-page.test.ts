import { describeInBrowser, it } from '../support/browser-test.ts';
import { serveConsole } from '../support/serve-console.ts';

describeInBrowser('a page that cannot be loaded', () => {
  it('says so with a way on, and the other pages are shown all the same', async ({ visit }) => {
    await using served = await serveConsole();
    const page = await visit(`${served.url}/console/`, { expectedErrors: ['operate-page'] });
    await page.route('**/assets/operate-page-*', (route) => route.abort());
    await page.getByRole('link', { name: 'Operate' }).click();
    await page.getByRole('heading', { name: 'This page cannot be shown' }).waitFor();
    await page.getByRole('link', { name: 'Tasks' }).click();
    await page.getByRole('heading', { name: 'Tasks', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Operate' }).click();
    await page.unroute('**/assets/operate-page-*');
    await page.getByRole('button', { name: 'Load it again' }).click();
    await page.getByRole('heading', { name: 'Health' }).waitFor();
    await page.close();
  });
});

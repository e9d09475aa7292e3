import { serve } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { Hono } from 'hono';
import { pageAt } from './pages.ts';
import { payments } from './payments.ts';

const app = new Hono();

app.all('/pay/*', (context) =>
  payments.handle(context.req.raw, { address: getConnInfo(context).remote.address }),
);

app.get('*', async (context) => {
  const page = await pageAt(context.req.url);
  return page === null
    ? context.notFound()
    : context.body(page.body, 200, { 'content-type': page.type });
});

serve({ fetch: app.fetch, port: Number(process.env['PORT']), hostname: '127.0.0.1' }, () => {
  console.log(`ready ${process.env['PUBLIC_URL']}`);
});

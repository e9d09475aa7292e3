import Koa from 'koa';
import connect from 'koa-connect';
import { pageAt } from './pages.ts';
import { payments } from './payments.ts';

const app = new Koa();
// At no path: koa-mount would hide from the router which part of the address it took off.
app.use(connect(payments.router()));

app.use(async (context, next) => {
  const page = await pageAt(context.url);
  if (page === null) return next();
  context.type = page.type;
  context.body = page.body;
});

app.listen(Number(process.env['PORT']), '127.0.0.1', () => {
  console.log(`ready ${process.env['PUBLIC_URL']}`);
});

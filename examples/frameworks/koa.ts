import Koa from 'koa';
import { pageAt } from './pages.ts';
import { payments } from './payments.ts';

const app = new Koa();
const router = payments.router();

// Before any body parser. An answer of the router is complete, so that Koa adds nothing to it.
app.use(async (context, next) => {
  const isLeft = await new Promise<boolean>((resolve) => {
    context.res.once('close', () => resolve(false));
    router(context.req, context.res, () => resolve(true));
  });
  if (isLeft) await next();
});

app.use(async (context, next) => {
  const page = await pageAt(context.url);
  if (page === null) return next();
  context.type = page.type;
  context.body = page.body;
});

app.listen(Number(process.env['PORT']), '127.0.0.1', () => {
  console.log(`ready ${process.env['PUBLIC_URL']}`);
});
